import { createHash } from "node:crypto";
import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { isSignedIn, type Viewer } from "#community/rules";
import { parseTerms } from "./text/text-query.ts";

/**
 * Number of people who must have made a search before its text is shown. A search by one person is private.
 */
const MIN_PEOPLE = 2;
const MAX_LISTED = 100;
const RETENTION = 365 * DAY;

/** A search without results. `words` is null until enough people have made it. */
export type SearchMiss = { words: string | null; times: number; people: number; lastAt: Date };

const hashText = (text: string) => createHash("sha256").update(text).digest();

/**
 * Records a member's search without results. Only a hash is stored until others have made the same search.
 * Guests are not recorded.
 */
export async function recordSearchMiss(tx: Tx, viewer: Viewer, asked: string): Promise<void> {
  const words = parseTerms({ words: asked })
    .map(({ word }) => word)
    .join(" ")
    .slice(0, 200);
  if (!isSignedIn(viewer) || words === "") return;
  const hash = hashText(words);
  await run(
    tx,
    sql`insert into search_misses (hash, first_at, last_at, people) values (${hash}, ${tx.now}, ${tx.now}, 0)
        on conflict (hash) do update set times = search_misses.times + 1, last_at = excluded.last_at`,
  );
  const isNew = await run(
    tx,
    sql`insert into search_miss_visitors (hash, who) values (${hash}, ${hashText(`${words} ${viewer.id}`)})
      on conflict do nothing`,
  );
  if (isNew > 0)
    await run(
      tx,
      sql`update search_misses set people = people + 1, words = case
        when people + 1 >= ${MIN_PEOPLE} then ${words} end where hash = ${hash}`,
    );
}

/**
 * Searches without results, by number of people.
 * @throws `not-allowed` except for admins
 */
export async function listSearchMisses(db: Db, viewer: Viewer): Promise<SearchMiss[]> {
  if (viewer.role !== "admin")
    throw new Refusal("not-allowed", "Only admins can see searches without results.");
  return many(
    db,
    sql<SearchMiss>`select words, times, people, last_at as "lastAt" from search_misses
      order by people desc, last_at desc ${limit(MAX_LISTED)}`,
  );
}

/** Deletes searches that are more than a year old. */
export const purgeSearchMisses = (tx: Tx): Promise<unknown> =>
  run(tx, sql`delete from search_misses where last_at < ${addMilliseconds(tx.now, -RETENTION)}`);
