import { type Db, maybeOne, one, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { invalid, type Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { isStaff, LIMITS, type SignedIn } from "#community/rules";
import type { FlaggedText } from "./flagged-text.ts";
import { compilePhrases, type PhraseMatch, type PhraseMatcher, replaceMatches } from "./matcher.ts";
import type { WatchedWordRule } from "./watched-words.ts";

type Compiled = { version: string; find: PhraseMatcher<WatchedWordRule> };
/** The watched words as this process compiled them last. Each check asks whether they are current. */
let compiled: Compiled | null = null;

/** The matcher for the current watched words; null without any. */
async function getMatcher(db: Db): Promise<Compiled["find"] | null> {
  const current = await maybeOne(
    db,
    sql<{ version: string }>`select version::text from watched_words_version`,
  );
  if (!current) return null;
  if (compiled?.version === current.version) return compiled.find;
  const { version, rules } = await one(
    db,
    sql<{ version: string; rules: WatchedWordRule[] }>`
      select version::text, (
        select coalesce(json_agg(json_build_object('id', id, 'phrase', phrase, 'action', action,
          'replacement', replacement, 'explanation', explanation) order by phrase, id), '[]')
        from watched_words) as rules
      from watched_words_version`,
  );
  compiled = { version, find: compilePhrases(rules) };
  return compiled.find;
}

/** Why a text waits for approval: the watched word and the explanation that its author reads. */
export type WatchedWordNotice = { phrase: string; explanation: string };
type Texts<Name extends string> = Partial<Record<Name, string | readonly string[] | undefined>>;
type CheckOptions<Name extends string> = {
  /** The texts before an edit: words that they contain already are not refused. */
  before?: Texts<Name>;
  /** Whether the text can wait for approval. Where it cannot, words that need approval are refused. */
  canWait: boolean;
};
/**
 * `input` has the words replaced. The text waits for approval because of `waitsFor`. If it is published,
 * `reportFlaggedText` reports it.
 */
export type CheckedText<Input> = {
  input: Input;
  waitsFor: WatchedWordNotice | null;
  flagged: FlaggedText | null;
};

type FieldMatch = { field: string; typed: string } & PhraseMatch<WatchedWordRule>;

/**
 * Checks public texts for watched words: the fields `names` of `input`. Staff are exempt. Words to replace
 * are replaced, which is logged.
 * @throws `invalid` on the field with a blocked word, naming the word and why it is blocked
 */
export async function checkWatchedWords<Name extends string, Input extends Texts<Name>>(
  tx: Tx,
  me: SignedIn,
  input: Input,
  names: readonly Name[],
  { before, canWait }: CheckOptions<Name>,
): Promise<CheckedText<Input>> {
  const find = isStaff(me) ? null : await getMatcher(tx);
  if (!find) return { input, waitsFor: null, flagged: null };
  const known = new Set(
    names.flatMap((name) => findIn(find, name, before?.[name]).map(({ rule }) => rule.id)),
  );
  const matches = names.flatMap((name) => findIn(find, name, input[name]));
  const fresh = matches.filter(({ rule }) => !known.has(rule.id));
  const blocked = fresh.find(({ rule: { action } }) => action === "block");
  if (blocked) throw blockedRefusal(blocked);
  const waiting = fresh.find(({ rule: { action } }) => action === "approve");
  if (waiting && !canWait) throw cannotWaitRefusal(waiting);
  const replacing = matches.filter(({ rule: { action } }) => action === "replace");
  const checked = replacing.length === 0 ? input : await replaceIn(tx, me, find, input, names, replacing);
  return {
    input: checked,
    flagged: listFlagged(checked, fresh),
    waitsFor: waiting ? { phrase: waiting.rule.phrase, explanation: waiting.rule.explanation } : null,
  };
}

function listFlagged<Name extends string>(input: Texts<Name>, fresh: FieldMatch[]): FlaggedText | null {
  const flags = fresh.filter(({ rule: { action } }) => action === "flag");
  if (flags.length === 0) return null;
  const fields = [...new Set(flags.map(({ field }) => field as Name))];
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
  const find = await getMatcher(db);
  if (!find) return;
  const matches = Object.entries(input).flatMap(([name, text]) => findIn(find, name, text));
  const blocked = matches.find(({ rule: { action } }) => action !== "flag");
  if (blocked) throw blockedRefusal(blocked);
}

/** Flagged words in the texts of a registration, for `reportFlaggedText` once the account exists. */
export async function findFlaggedWords(db: Db, input: Record<string, string>): Promise<FlaggedText | null> {
  const find = await getMatcher(db);
  if (!find) return null;
  return listFlagged(
    input,
    Object.entries(input).flatMap(([name, text]) => findIn(find, name, text)),
  );
}

const toTexts = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

const findIn = (
  find: PhraseMatcher<WatchedWordRule>,
  field: string,
  value: string | readonly string[] | undefined,
): FieldMatch[] =>
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
  return { ...input, ...(Object.fromEntries(changed) as Partial<Input>) };
}

function blockedRefusal({ field, typed, rule: { explanation } }: FieldMatch): Refusal {
  const word = shorten(typed);
  return invalid(
    field,
    explanation
      ? msg("“{word}” is blocked on this site. {explanation} Leave it out, then send it again.", {
          word,
          explanation,
        })
      : msg("“{word}” is blocked on this site. Leave it out, then send it again.", { word }),
  );
}

function cannotWaitRefusal({ field, typed, rule: { explanation } }: FieldMatch): Refusal {
  const word = shorten(typed);
  return invalid(
    field,
    explanation
      ? msg("“{word}” needs approval, which is not possible for this text. {explanation} Leave it out.", {
          word,
          explanation,
        })
      : msg("“{word}” needs approval, which is not possible for this text. Leave it out.", { word }),
  );
}

const shorten = (typed: string) => typed.slice(0, LIMITS.watchedWords.phrase).toWellFormed();
