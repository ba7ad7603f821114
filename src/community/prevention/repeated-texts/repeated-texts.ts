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
 * Whether another new account posted the text of a new account in the last 24 hours. The text is remembered,
 * whether it is published or waits. A lock makes concurrent posts of one text run one after the other.
 */
export async function isRepeatedText(tx: Tx, me: SignedIn, text: string): Promise<boolean> {
  if (me.trust !== "new" || isStaff(me)) return false;
  const digest = digestWords(text);
  if (!digest) return false;
  const key = `newcomer-text:${digest.toString("hex")}`;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  const { repeated } = await one(
    tx,
    sql<{ repeated: boolean }>`
      with stored as (
        insert into newcomer_texts (digest, author_id, posted_at) values (${digest}, ${me.id}, ${tx.now})
        on conflict (digest, author_id) do update set posted_at = excluded.posted_at)
      select exists (select from newcomer_texts where digest = ${digest} and author_id <> ${me.id}
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
