import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { id, requiredText } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { isSignedIn, type Viewer } from "#community/rules";

/** Maximum number of stored recent searches. */
const MAX_RECENT = 8;
const MAX_SAVED = 30;

/** A saved search. `tells`: its owner gets search alerts, at most once a day. */
export type SavedSearch = { id: string; name: string; asked: string; tells: boolean };
export type OwnSearches = { recent: string[]; saved: SavedSearch[] };

/** Accepts booleans from the API and `yes` or `no` from forms. */
const booleanField = z.union([z.boolean(), z.enum(["yes", "no"]).transform((value) => value === "yes")]);
export const NewSavedSearch = z.object({
  name: requiredText("A name", "Enter a name.", 60),
  asked: requiredText("A search", "There is nothing to save.", 500),
  tells: booleanField.default(false),
});
export const SearchAlertSetting = z.object({ id, tells: booleanField });

/** The viewer's recent and saved searches; empty for guests. */
export async function listOwnSearches(db: Db, viewer: Viewer): Promise<OwnSearches> {
  if (!isSignedIn(viewer)) return { recent: [], saved: [] };
  const [recent, saved] = await Promise.all([
    many(
      db,
      sql<{
        asked: string;
      }>`select asked from recent_searches where person_id = ${viewer.id}
        order by at desc ${limit(MAX_RECENT)}`,
    ),
    many(
      db,
      sql<SavedSearch>`select id, name, asked, notified_until is not null as tells from saved_searches
        where person_id = ${viewer.id} order by created_at, id ${limit(MAX_SAVED)}`,
    ),
  ]);
  return { recent: recent.map(({ asked }) => asked), saved };
}

/** Records a recent search and deletes older ones. Guests are not recorded. */
export async function recordRecentSearch(tx: Tx, viewer: Viewer, asked: string): Promise<void> {
  const text = asked.replaceAll("\0", "").trim().slice(0, 200);
  if (!isSignedIn(viewer) || text === "") return;
  await run(
    tx,
    sql`insert into recent_searches (person_id, asked, at) values (${viewer.id}, ${text}, ${tx.now})
      on conflict (person_id, asked) do update set at = excluded.at`,
  );
  await run(
    tx,
    sql`delete from recent_searches where person_id = ${viewer.id}
        and asked not in (select asked from recent_searches where person_id = ${viewer.id}
          order by at desc ${limit(MAX_RECENT)})`,
  );
}

/**
 * Clears the viewer's recent searches.
 * @throws `not-signed-in`
 */
export async function clearRecentSearches(tx: Tx, viewer: Viewer): Promise<void> {
  const me = requireSignedIn(viewer);
  await run(tx, sql`delete from recent_searches where person_id = ${me.id}`);
}

/**
 * Saves a search under a name; saving it again updates the name and alert setting.
 * @throws `not-signed-in`, and `too-many` above thirty
 */
export async function saveSearch(
  tx: Tx,
  viewer: Viewer,
  { name, asked, tells }: z.output<typeof NewSavedSearch>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  // The lock serializes a person's saved searches, so that two concurrent ones are both counted.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('searches:' || ${me.id}::text, 0))`);
  const saved = await maybeOne(
    tx,
    sql<{
      id: string;
    }>`insert into saved_searches (id, person_id, name, asked, created_at) select ${tx.newId()}, ${me.id},
      ${name}, ${asked}, ${tx.now}
        where (select count(*) from saved_searches
          where person_id = ${me.id} and asked <> ${asked}) < ${MAX_SAVED}
        on conflict (person_id, asked) do update set name = excluded.name returning id`,
  );
  if (!saved) throw new Refusal("too-many", "You can save at most 30 searches. Delete one first.");
  await setSearchAlert(tx, me, { id: saved.id, tells });
}

/**
 * Switches alerts for a saved search on or off.
 * @throws `not-signed-in`, and `not-found` for others' searches
 */
export async function setSearchAlert(
  tx: Tx,
  viewer: Viewer,
  { id: searchId, tells }: z.output<typeof SearchAlertSetting>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const known = await run(
    tx,
    sql`update saved_searches set notified_until = ${
      tells
        ? sql`coalesce(notified_until,
      ${tx.now})`
        : sql`null`
    },
          next_run_at = ${tells ? sql`coalesce(next_run_at, ${addMilliseconds(tx.now, DAY)})` : sql`null`}
        where id = ${searchId}::uuid and person_id = ${me.id}`,
  );
  if (known === 0) throw notFound();
}

/**
 * A saved search of the viewer.
 * @throws `not-signed-in`, `not-found`
 */
export async function getSavedSearch(db: Db, viewer: Viewer, searchId: string): Promise<SavedSearch> {
  const found = (await listOwnSearches(db, requireSignedIn(viewer))).saved.find((it) => it.id === searchId);
  if (!found) throw notFound();
  return found;
}

/**
 * Deletes a saved search.
 * @throws `not-signed-in`, and `not-found` for others' searches
 */
export async function deleteSavedSearch(
  tx: Tx,
  viewer: Viewer,
  { id: searchId }: { id: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  if (
    (await run(tx, sql`delete from saved_searches where id = ${searchId}::uuid and person_id = ${me.id}`)) ===
    0
  )
    throw notFound();
}
