import { type Db, maybeOne, one, sql } from "#platform/database";
import type { LinkDomainRule } from "../link-domains/link-domains.ts";
import { compilePhrases, type PhraseMatcher } from "./matcher.ts";
import type { WatchedWordRule } from "./watched-words.ts";

export type CompiledRules = {
  version: string;
  find: PhraseMatcher<WatchedWordRule>;
  domains: ReadonlyMap<string, LinkDomainRule>;
};
/** The rules as this process compiled them last. Each check asks whether they are current. */
let compiled: CompiledRules | null = null;

/** The current watched words and link domains; null without any. */
export async function getRules(db: Db): Promise<CompiledRules | null> {
  const current = await maybeOne(
    db,
    sql<{ version: string }>`select version::text from watched_words_version`,
  );
  if (!current) return null;
  if (compiled?.version === current.version) return compiled;
  const { version, words, domains } = await one(
    db,
    sql<{ version: string; words: WatchedWordRule[]; domains: LinkDomainRule[] }>`
      select version::text, (
        select coalesce(json_agg(json_build_object('id', id, 'phrase', phrase, 'action', action,
          'replacement', replacement, 'explanation', explanation) order by phrase, id), '[]')
        from watched_words) as words, (
        select coalesce(json_agg(json_build_object('domain', domain, 'action', action,
          'explanation', explanation)), '[]')
        from link_domains) as domains
      from watched_words_version`,
  );
  compiled = {
    version,
    find: compilePhrases(words),
    domains: new Map(domains.map((rule) => [rule.domain, rule])),
  };
  return compiled;
}
