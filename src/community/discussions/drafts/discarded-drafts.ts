import { HOUR, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { type Viewer, SERVER_LIMITS } from "#community/rules";
import { appendToDraft, draftRows, type DraftRow, resolveDraftTarget } from "./drafts.ts";
import type { DraftFields } from "../discussion-inputs.ts";

/** Time for which a discarded draft can be restored. */
const RESTORE_TIME = HOUR;
/** Maximum number of a person's discarded drafts that can be restored; older ones are deleted. */
const MAX_DISCARDED = 20;

/** Discards a draft. It can be restored for an hour if it is among the last twenty. */
export async function discardDraft(tx: Tx, viewer: Viewer, target: string): Promise<void> {
  const me = requireSignedIn(viewer);
  const dropped = await run(
    tx,
    sql`with gone as (delete from drafts where person_id = ${me.id} and place = ${target.replaceAll("\0", "")}
      returning person_id, place, data)
        insert into dropped_drafts (person_id, place, data, dropped_at) select person_id, place, data,
          ${tx.now} from gone
        on conflict (person_id, place) do update set data = excluded.data, dropped_at = excluded.dropped_at`,
  );
  if (dropped === 0) return;
  await run(
    tx,
    sql`delete from dropped_drafts where person_id = ${me.id} and place in (
          select place from dropped_drafts where person_id = ${me.id} order by dropped_at desc, place
          offset ${MAX_DISCARDED}::int)`,
  );
}

/** Discarded drafts the viewer can restore, newest first. Empty for guests. */
export const listDiscardedDrafts = (db: Db, viewer: Viewer, now: Date): Promise<DraftRow[]> =>
  many(
    db,
    sql<DraftRow>`${draftRows(
      viewer,
      sql`(select person_id, place, 0 as version, data, dropped_at as saved_at from dropped_drafts
        where dropped_at > ${addMilliseconds(now, -RESTORE_TIME)})`,
    )} order by dr.saved_at desc, dr.place ${limit(MAX_DISCARDED)}`,
  );

/**
 * Restores a discarded draft. If a new draft was begun since, the restored text is appended to it.
 * @throws `not-found` for an expired draft, `conflict` if both texts exceed the size limit, `too-many` above
 * two hundred
 */
export async function restoreDraft(tx: Tx, viewer: Viewer, target: string): Promise<void> {
  const me = requireSignedIn(viewer);
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('drafts:' || ${me.id}::text, 0))`);
  const found = await maybeOne(
    tx,
    sql<{ place: string; data: { title?: string; body?: string; more?: DraftFields } }>`
      delete from dropped_drafts where person_id = ${me.id} and place = ${target.replaceAll("\0", "")}
        and dropped_at > ${addMilliseconds(tx.now, -RESTORE_TIME)}
      returning ${resolveDraftTarget(target)} as place, data`,
  );
  if (!found) throw notFound();
  const { count } = await one(
    tx,
    sql<{
      count: number;
    }>`select count(*)::int as count from drafts where person_id = ${me.id} and place <> ${found.place}`,
  );
  if (count >= SERVER_LIMITS.drafts)
    throw new Refusal("too-many", "You have reached the limit of 200 drafts. Send or delete some.");
  const { title = "", body = "", more = {} } = found.data;
  if (!(await appendToDraft(tx, me.id, found.place, { title, body, more })))
    throw new Refusal("conflict", "This draft and your newer one are too long to combine.");
}

/** For jobs: deletes expired discarded drafts. Returns how many. */
export const purgeDiscardedDrafts = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from dropped_drafts where (person_id, place) in (
      select person_id, place from dropped_drafts
      where dropped_at <= ${addMilliseconds(tx.now, -RESTORE_TIME)} order by dropped_at ${limit(1_000)}
      for update skip locked)`,
  );
