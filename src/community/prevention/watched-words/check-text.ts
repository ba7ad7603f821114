import { domainToUnicode } from "node:url";
import type { Db, Tx } from "#platform/database";
import { writeAudit } from "#community/audit";
import { isStaff, type SignedIn } from "#community/rules";
import type { LinkDomainRule } from "../link-domains/link-domains.ts";
import { listDomains, listLinkedHosts } from "../link-domains/linked-hosts.ts";
import { type CompiledRules, getRules } from "./compiled-rules.ts";
import type { FlaggedText } from "./flagged-text.ts";
import { type PhraseMatch, type PhraseMatcher, replaceMatches } from "./matcher.ts";
import {
  blockedLinkRefusal,
  blockedRefusal,
  cannotWaitRefusal,
  linkCannotWaitRefusal,
} from "./text-refusals.ts";
import type { WatchedWordRule } from "./watched-words.ts";

/**
 * Why a text waits for approval: a watched word or a link, and the explanation that its author reads, or that
 * another new account posted it.
 */
export type ApprovalReason =
  | { kind: "word"; phrase: string; explanation: string }
  | { kind: "link"; domain: string; explanation: string }
  | { kind: "repeat" };
type FieldTexts = string | readonly string[] | null | undefined;
type Texts<Name extends string> = Partial<Record<Name, string | readonly string[] | undefined>>;
type CheckOptions<Name extends string> = {
  /** The texts before an edit: words that they contain already are not refused. */
  before?: Texts<Name>;
  /** Whether the text can wait for approval. Where it cannot, words that need approval are refused. */
  canWait: boolean;
  /** Addresses that are checked for link domains only. */
  addresses?: Record<string, string | null | undefined>;
};
/**
 * `input` has the words replaced. The text waits for approval because of `waitsFor`. If it is published,
 * `reportFlaggedText` reports it.
 */
export type CheckedText<Input> = {
  input: Input;
  waitsFor: ApprovalReason | null;
  flagged: FlaggedText | null;
};

type LinkMatch = { field: string; rule: LinkDomainRule };
type FieldMatch<Name extends string = string> = { field: Name; typed: string } & PhraseMatch<WatchedWordRule>;

/**
 * Checks public texts for watched words and link domains: the fields `names` of `input`, and `addresses`.
 * Staff are exempt. Words to replace are replaced, which is logged.
 * @throws `invalid` on the field with a blocked word or link, naming it and why it is blocked
 */
export async function checkWatchedWords<Name extends string, Input extends Texts<Name>>(
  tx: Tx,
  me: SignedIn,
  input: Input,
  names: readonly Name[],
  { before, canWait, addresses = {} }: CheckOptions<Name>,
): Promise<CheckedText<Input>> {
  const rules = isStaff(me) ? null : await getRules(tx);
  if (!rules) return { input, waitsFor: null, flagged: null };
  const texts: Record<string, FieldTexts> = { ...pick(input, names), ...addresses };
  const link = checkLinks(rules, texts, before ?? {}, canWait);
  const { find } = rules;
  const known = new Set(
    names.flatMap((name) => findIn(find, name, before?.[name]).map(({ rule }) => rule.id)),
  );
  const matches = names.flatMap((name) => findIn(find, name, input[name]));
  const fresh = matches.filter(({ rule }) => !known.has(rule.id));
  const blocked = fresh.find(({ rule: { action } }) => action === "block");
  if (blocked) throw blockedRefusal(toFound(blocked));
  const waiting = fresh.find(({ rule: { action } }) => action === "approve");
  if (waiting && !canWait) throw cannotWaitRefusal(toFound(waiting));
  const replacing = matches.filter(({ rule: { action } }) => action === "replace");
  const checked = replacing.length === 0 ? input : await replaceIn(tx, me, find, input, names, replacing);
  return {
    input: checked,
    flagged: listFlagged(checked, fresh),
    waitsFor: waiting
      ? { kind: "word", phrase: waiting.rule.phrase, explanation: waiting.rule.explanation }
      : link && {
          kind: "link",
          domain: domainToUnicode(link.rule.domain),
          explanation: link.rule.explanation,
        },
  };
}

const pick = <Name extends string>(input: Texts<Name>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, input[name]]));

const findLinksIn = ({ domains }: CompiledRules, field: string, value: FieldTexts): LinkMatch[] =>
  domains.size === 0
    ? []
    : toTexts(value)
        .flatMap(listLinkedHosts)
        .flatMap((host) => {
          const rule = listDomains(host)
            .map((domain) => domains.get(domain))
            .find((it) => it !== undefined);
          return rule ? [{ field, rule }] : [];
        });

/**
 * The link because of which a text waits, if any. Links to domains that it had before are accepted.
 * @throws `invalid` for a blocked link, and for one that needs approval in a text that cannot wait
 */
function checkLinks(
  rules: CompiledRules,
  texts: Record<string, FieldTexts>,
  before: Record<string, FieldTexts>,
  canWait: boolean,
): LinkMatch | null {
  const links = Object.entries(texts).flatMap(([field, value]) => findLinksIn(rules, field, value));
  if (links.length === 0) return null;
  const known = new Set(
    Object.keys(texts).flatMap((field) => findLinksIn(rules, field, before[field]).map(({ rule }) => rule)),
  );
  const fresh = links.filter(({ rule }) => !known.has(rule));
  const blocked = fresh.find(({ rule: { action } }) => action === "block");
  if (blocked) throw blockedLinkRefusal(toFoundLink(blocked));
  if (fresh[0] && !canWait) throw linkCannotWaitRefusal(toFoundLink(fresh[0]));
  return fresh[0] ?? null;
}

const toFound = ({ field, typed, rule: { explanation } }: FieldMatch) => ({ field, typed, explanation });
const toFoundLink = ({ field, rule: { domain, explanation } }: LinkMatch) => ({
  field,
  typed: domainToUnicode(domain),
  explanation,
});

/**
 * Asserts that a private message, whose text is checked for nothing else, has no link to a listed domain. It
 * cannot wait for approval. Staff are exempt.
 * @throws `invalid` on the field
 */
export async function assertNoListedLinks(
  db: Db,
  me: SignedIn,
  input: Record<string, string>,
): Promise<void> {
  // Most messages have no link, and are sent without this query.
  const hasLink = Object.values(input).some((text) => listLinkedHosts(text).length > 0);
  if (isStaff(me) || !hasLink) return;
  const rules = await getRules(db);
  if (rules) checkLinks(rules, input, {}, false);
}

function listFlagged<Name extends string>(input: Texts<Name>, fresh: FieldMatch<Name>[]): FlaggedText | null {
  const flags = fresh.filter(({ rule: { action } }) => action === "flag");
  if (flags.length === 0) return null;
  const fields = [...new Set(flags.map(({ field }) => field))];
  return {
    phrases: [...new Set(flags.map(({ rule }) => rule.phrase))],
    texts: fields.map((field) => ({ field, text: toTexts(input[field]).join("\n") })),
  };
}

/**
 * Asserts that the texts of a registration have no watched word, except for flagged ones: they cannot wait,
 * and a name is not replaced.
 * @throws `invalid` on the field
 */
export async function assertNoWatchedWords(db: Db, input: Record<string, string>): Promise<void> {
  const rules = await getRules(db);
  if (!rules) return;
  const matches = Object.entries(input).flatMap(([name, text]) => findIn(rules.find, name, text));
  const blocked = matches.find(({ rule: { action } }) => action !== "flag");
  if (blocked) throw blockedRefusal(toFound(blocked));
  checkLinks(rules, input, {}, false);
}

/** Flagged words in the texts of a registration, for `reportFlaggedText` once the account exists. */
export async function findFlaggedWords(db: Db, input: Record<string, string>): Promise<FlaggedText | null> {
  const rules = await getRules(db);
  if (!rules) return null;
  return listFlagged(
    input,
    Object.entries(input).flatMap(([name, text]) => findIn(rules.find, name, text)),
  );
}

const toTexts = (value: FieldTexts): readonly string[] =>
  value === undefined || value === null ? [] : typeof value === "string" ? [value] : value;

const findIn = <Name extends string>(
  find: PhraseMatcher<WatchedWordRule>,
  field: Name,
  value: string | readonly string[] | undefined,
): FieldMatch<Name>[] =>
  toTexts(value).flatMap((text) =>
    find(text).map((match) => ({ ...match, field, typed: text.slice(match.start, match.end) })),
  );

async function replaceIn<Name extends string, Input extends Texts<Name>>(
  tx: Tx,
  me: SignedIn,
  find: PhraseMatcher<WatchedWordRule>,
  input: Input,
  names: readonly Name[],
  replaced: FieldMatch[],
): Promise<Input> {
  const replace = (text: string) =>
    replaceMatches(
      text,
      find(text).filter(({ rule: { action } }) => action === "replace"),
    );
  for (const rule of new Set(replaced.map((match) => match.rule)))
    await writeAudit(tx, me, {
      act: "watched-word.replaced",
      kind: "watched-word",
      id: rule.id,
      details: { phrase: rule.phrase, personId: me.id },
    });
  const changed = names.flatMap((name) => {
    const value = input[name];
    if (value === undefined) return [];
    return [[name, typeof value === "string" ? replace(value) : value.map(replace)]];
  });
  return { ...input, ...Object.fromEntries(changed) };
}
