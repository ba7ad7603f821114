import { z } from "zod";
import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { msg, toIssue } from "#platform/messages";
import { invalid, notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { optionalText, type PersonCard, personCard, requiredText } from "#community/common";
import { accountRules, type Viewer, PREVENTION_LIMITS } from "#community/rules";
import { lockCheckedTexts, renewCheckVersion } from "./check-version.ts";
import { hasWildcard, isSingleLetter, longestPart, tokenizePhrase } from "./phrase.ts";

/** What happens to a text that contains the word. */
const WATCHED_WORD_ACTIONS = ["flag", "approve", "block", "replace"] as const;
export type WatchedWordAction = (typeof WATCHED_WORD_ACTIONS)[number];

export type WatchedWordRule = {
  id: string;
  phrase: string;
  action: WatchedWordAction;
  replacement: string;
  /** Reason that authors read; may be empty. */
  explanation: string;
};
export type WatchedWord = WatchedWordRule & { changedAt: Date; changedBy: PersonCard | null };

function checkPhrase(phrase: string, context: z.core.$RefinementCtx<string>): void {
  const words = tokenizePhrase(phrase);
  const ends = [words[0] ?? "", words.at(-1) ?? ""];
  if (words.length > PREVENTION_LIMITS.watchedWords.words)
    context.addIssue(
      toIssue(msg("At most {count, number} words.", { count: PREVENTION_LIMITS.watchedWords.words })),
    );
  else if (ends.some((word) => /^[*?]*$/.test(word)))
    context.addIssue(toIssue(msg("The first and the last word need letters or digits.")));
  else if (words.some((word) => hasWildcard(word) && /[^*?]/.test(word) && longestPart(word).length < 2))
    context.addIssue(toIssue(msg("A word with * or ? needs at least two letters or digits in a row.")));
  else if (words.length === 1 && isSingleLetter(words[0]!))
    context.addIssue(toIssue(msg("A single letter or digit would match too much.")));
}

const checked = z
  .string()
  .optional()
  .transform((given) => given !== undefined);

/** `confirmed`: the word is saved even if it matches most posts. */
export const WatchedWordForm = z
  .object({
    phrase: requiredText("The word", "Enter a word.", PREVENTION_LIMITS.watchedWords.phrase)
      .transform((phrase) => phrase.replace(/\s+/g, " ").normalize("NFC"))
      .pipe(z.string().superRefine(checkPhrase)),
    action: z.enum(WATCHED_WORD_ACTIONS, "Choose what happens."),
    replacement: optionalText("The replacement", PREVENTION_LIMITS.watchedWords.replacement),
    explanation: optionalText("The explanation", PREVENTION_LIMITS.watchedWords.explanation),
    confirmed: checked,
  })
  .refine((form) => form.action !== "replace" || form.replacement !== "", {
    path: ["replacement"],
    error: "Enter the text that replaces the word.",
  });
export type WatchedWordForm = z.output<typeof WatchedWordForm>;

function assertStaff(viewer: Viewer): void {
  if (!accountRules.moderate(viewer)) throw notFound();
}

/**
 * All watched words, by phrase.
 * @throws `not-found` for all but staff
 */
export async function listWatchedWords(db: Db, viewer: Viewer): Promise<WatchedWord[]> {
  assertStaff(viewer);
  return many(
    db,
    sql<WatchedWord>`
      select w.id, w.phrase, w.action, w.replacement, w.explanation, w.changed_at as "changedAt",
        case when p.id is not null then ${personCard("p")} end as "changedBy"
      from watched_words w left join people p on p.id = w.changed_by
      order by lower(w.phrase), w.id`,
  );
}

/**
 * Adds a watched word, or changes the one with this id.
 * @throws `not-found` for all but staff and for an unknown id, `invalid` on `phrase` for one that is watched
 * already, and above the maximum number
 */
export async function saveWatchedWord(
  tx: Tx,
  viewer: Viewer,
  form: WatchedWordForm,
  id?: string,
): Promise<{ id: string }> {
  assertStaff(viewer);
  if (id !== undefined && !isId(id)) throw notFound();
  await lockCheckedTexts(tx);
  const { count, same } = await one(
    tx,
    sql<{ count: number; same: boolean }>`
      select count(*)::int as count,
        coalesce(bool_or(lower(phrase) = lower(${form.phrase})
          and id is distinct from ${id ?? null}::uuid), false) as same
      from watched_words`,
  );
  if (same) throw invalid("phrase", "This word is watched already.");
  if (id === undefined && count >= PREVENTION_LIMITS.watchedWords.count)
    throw invalid(
      "phrase",
      msg("There can be at most {count, number} watched words. Remove one first.", {
        count: PREVENTION_LIMITS.watchedWords.count,
      }),
    );
  const saved = id ?? tx.newId();
  const replacement = form.action === "replace" ? form.replacement : "";
  const stored = await run(
    tx,
    id === undefined
      ? sql`insert into watched_words
          (id, phrase, action, replacement, explanation, changed_at, changed_by)
          values (${saved}, ${form.phrase}, ${form.action}, ${replacement}, ${form.explanation}, ${tx.now},
            ${viewer.id})`
      : sql`update watched_words set phrase = ${form.phrase}, action = ${form.action},
          replacement = ${replacement}, explanation = ${form.explanation}, changed_at = ${tx.now},
          changed_by = ${viewer.id} where id = ${id}`,
  );
  if (stored === 0) throw notFound();
  await recordChange(
    tx,
    viewer,
    id === undefined ? "watched-word.added" : "watched-word.changed",
    saved,
    form,
  );
  return { id: saved };
}

/**
 * Removes a watched word.
 * @throws `not-found` for all but staff and for an unknown id
 */
export async function removeWatchedWord(tx: Tx, viewer: Viewer, id: string): Promise<void> {
  assertStaff(viewer);
  await lockCheckedTexts(tx);
  const removed = isId(id)
    ? await maybeOne(
        tx,
        sql<Pick<WatchedWord, "phrase" | "action">>`
          delete from watched_words where id = ${id} returning phrase, action`,
      )
    : undefined;
  if (!removed) throw notFound();
  await recordChange(tx, viewer, "watched-word.removed", id, removed);
}

async function recordChange(
  tx: Tx,
  viewer: Viewer,
  act: string,
  id: string,
  { phrase, action }: Pick<WatchedWord, "phrase" | "action">,
): Promise<void> {
  await renewCheckVersion(tx);
  await writeAudit(tx, viewer, { act, kind: "watched-word", id, details: { phrase, action } });
}
