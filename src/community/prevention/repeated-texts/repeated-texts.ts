import { createHash } from "node:crypto";
import { addMilliseconds } from "#platform/clock";
import { limit, one, run, sql, type Tx } from "#platform/database";
import { isStaff, type SignedIn, PREVENTION_LIMITS } from "#community/rules";
import { tokenizeText } from "../watched-words/phrase.ts";

/**
 * Digest of the words of a text, without case, punctuation and invisible characters; null for a text that is
 * so short that people write the same by chance.
 */
export function digestWords(text: string): Buffer | null {
  const words = tokenizeText(text)
    .map(({ word }) => word)
    .join(" ");
  return words.length < PREVENTION_LIMITS.repeatedTexts.characters
    ? null
    : createHash("sha256").update(words).digest();
}

/**
 * Whether another new account posted one of these texts of a new account in the last 24 hours. The texts are
 * remembered, whether they are published or wait. Locks make concurrent posts of one text run one after the other.
 */
export async function isRepeatedText(tx: Tx, me: SignedIn, ...texts: string[]): Promise<boolean> {
  if (me.trust !== "new" || isStaff(me)) return false;
  const digests = new Set(texts.map((text) => digestWords(text)?.toString("hex")));
  digests.delete(undefined);
  if (digests.size === 0) return false;
  // In a fixed order, so that posts with several equal texts do not wait for each other for ever.
  const found = [...digests].toSorted();
  await run(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended('newcomer-text:' || digest, 0))
      from unnest(${found}::text[]) digest`,
  );
  const { repeated } = await one(
    tx,
    sql<{ repeated: boolean }>`
      with given as (select decode(digest, 'hex') as digest from unnest(${found}::text[]) digest),
      stored as (
        insert into newcomer_texts (digest, author_id, posted_at)
        select digest, ${me.id}::uuid, ${tx.now}::timestamptz from given
        on conflict (digest, author_id) do update set posted_at = excluded.posted_at)
      select exists (select from newcomer_texts join given using (digest) where author_id <> ${me.id}
        and posted_at > ${addMilliseconds(tx.now, -PREVENTION_LIMITS.repeatedTexts.time)}) as repeated`,
  );
  return repeated;
}

/** Maximum number of rows per transaction, so that each transaction is short. */
const BATCH_SIZE = 1_000;

/** For jobs: forgets texts that are too old to matter. Returns how many. */
export const purgeNewcomerTexts = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from newcomer_texts where (digest, author_id) in (
      select digest, author_id from newcomer_texts
      where posted_at <= ${addMilliseconds(tx.now, -PREVENTION_LIMITS.repeatedTexts.time)}
      order by posted_at ${limit(BATCH_SIZE)})`,
  );
