import { createHash } from "node:crypto";
import { DAY, later } from "#platform/clock";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { isSignedIn, type Viewer } from "#community/rules";
import { askedIn } from "./words/question.ts";

/** A search only one person made is private: its text is shown once this many people made it. */
const ENOUGH_PEOPLE = 2;
const SHOWN = 100;
const KEPT = 365 * DAY;

/** `words` is null while too few people searched for it. */
export type Miss = { words: string | null; times: number; people: number; lastAt: Date };

const hashOf = (text: string) => createHash("sha256").update(text).digest();

/**
 * Records a member's search without results, as a hash until others make the same one. Guests are not
 * recorded.
 */
export async function noteMiss(tx: Tx, viewer: Viewer, asked: string): Promise<void> {
  const words = askedIn({ words: asked })
    .map(({ word }) => word)
    .join(" ")
    .slice(0, 200);
  if (!isSignedIn(viewer) || words === "") return;
  const hash = hashOf(words);
  await run(
    tx,
    sql`insert into search_misses (hash, first_at, last_at, people) values (${hash}, ${tx.now}, ${tx.now}, 0)
        on conflict (hash) do update set times = search_misses.times + 1, last_at = excluded.last_at`,
  );
  const isNew = await run(
    tx,
    sql`insert into search_miss_people (hash, who) values (${hash}, ${hashOf(`${words} ${viewer.id}`)}) on conflict do nothing`,
  );
  if (isNew > 0)
    await run(
      tx,
      sql`update search_misses set people = people + 1, words = case when people + 1 >= ${ENOUGH_PEOPLE} then ${words} end where hash = ${hash}`,
    );
}

/**
 * Searches without results, by number of people.
 * @throws `not-allowed` except for admins
 */
export async function missesFor(db: Db, viewer: Viewer): Promise<Miss[]> {
  if (viewer.role !== "admin") throw new Refusal("not-allowed", "Only admins see what was not found.");
  return many(
    db,
    sql<Miss>`select words, times, people, last_at as "lastAt" from search_misses order by people desc, last_at desc ${limit(SHOWN)}`,
  );
}

/** Deletes searches that are more than a year old. */
export const purgeMisses = (tx: Tx): Promise<unknown> => run(tx, sql`delete from search_misses where last_at < ${later(tx.now, -KEPT)}`);
