import { HOUR, later } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { signedIn } from "#community/friends";
import { LIMITS, type Viewer } from "#community/rules";
import { addToDraft, draftLines, type DraftLine, placeNow } from "./drafts.ts";
import type { DraftMore } from "./forms.ts";

/** How long, and how many, discarded drafts of one person can be restored. */
const KEPT = HOUR;
const MOST = 20;

/** Discards a draft. It can be restored for an hour if it is among the last twenty. */
export async function dropDraft(tx: Tx, viewer: Viewer, place: string): Promise<void> {
  const me = signedIn(viewer);
  const dropped = await run(
    tx,
    sql`with gone as (delete from drafts where person_id = ${me.id} and place = ${place.replaceAll("\0", "")} returning person_id, place, data)
        insert into dropped_drafts (person_id, place, data, dropped_at) select person_id, place, data, ${tx.now} from gone
        on conflict (person_id, place) do update set data = excluded.data, dropped_at = excluded.dropped_at`,
  );
  if (dropped === 0) return;
  await run(
    tx,
    sql`delete from dropped_drafts where person_id = ${me.id} and place in (
          select place from dropped_drafts where person_id = ${me.id} order by dropped_at desc, place offset ${MOST}::int)`,
  );
}

/** Discarded drafts the viewer can restore, newest first. Empty for guests. */
export const droppedDrafts = (db: Db, viewer: Viewer, now: Date): Promise<DraftLine[]> =>
  many(
    db,
    sql<DraftLine>`${draftLines(
      viewer,
      sql`(select person_id, place, 0 as version, data, dropped_at as saved_at from dropped_drafts where dropped_at > ${later(now, -KEPT)})`,
    )} order by dr.saved_at desc, dr.place ${limit(MOST)}`,
  );

/**
 * Restores a discarded draft after any text begun since.
 * @throws `not-found` for an expired one, `conflict` if both exceed the size limit, `too-many` above two
 * hundred
 */
export async function bringDraftBack(tx: Tx, viewer: Viewer, place: string): Promise<void> {
  const me = signedIn(viewer);
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('drafts:' || ${me.id}::text, 0))`);
  const found = await maybeOne(
    tx,
    sql<{ place: string; data: { title?: string; body?: string; more?: DraftMore } }>`
      delete from dropped_drafts where person_id = ${me.id} and place = ${place.replaceAll("\0", "")} and dropped_at > ${later(tx.now, -KEPT)}
      returning ${placeNow(place)} as place, data`,
  );
  if (!found) throw notFound();
  const { count } = await one(
    tx,
    sql<{ count: number }>`select count(*)::int as count from drafts where person_id = ${me.id} and place <> ${found.place}`,
  );
  if (count >= LIMITS.drafts)
    throw new Refusal("too-many", "You keep 200 drafts: as many as there is room for. Send or delete some of them.");
  const { title = "", body = "", more = {} } = found.data;
  if (!(await addToDraft(tx, me.id, found.place, { title, body, more })))
    throw new Refusal("conflict", "What you have begun there since and this are more than one draft can hold.");
}

/** For jobs: deletes expired discarded drafts. Returns how many. */
export const forgetDropped = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from dropped_drafts where (person_id, place) in (
      select person_id, place from dropped_drafts where dropped_at <= ${later(tx.now, -KEPT)} order by dropped_at ${limit(1_000)} for update skip locked)`,
  );
