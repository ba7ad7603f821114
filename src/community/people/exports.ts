import { DAY, later } from "#platform/clock";
import { type Db, maybeOne, many, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { later as doLater } from "#platform/jobs";
import { notFound, Refusal } from "#platform/refusal";
import { bytesHeld } from "#community/common";
import { isSignedIn, LIMITS, type Viewer } from "#community/rules";
import type { House } from "./house.ts";
import { links, write } from "./write.ts";

/** Everything of theirs that somebody asked for: being made, or ready for them alone until it expires. */
export type PersonalExport = { id: string; createdAt: Date; readyAt: Date | null; expiresAt: Date; size: number | null };

const columns = sql`id, created_at as "createdAt", ready_at as "readyAt", expires_at as "expiresAt", size::float8 as size`;

/** The latest of the viewer's own; null where there is none that holds. */
export async function exportOf(db: Db, viewer: Viewer, now: Date): Promise<PersonalExport | null> {
  if (!isSignedIn(viewer)) return null;
  const found = await maybeOne(
    db,
    sql<PersonalExport>`select ${columns} from personal_exports where person_id = ${viewer.id} and expires_at > ${now} order by created_at desc limit 1`,
  );
  return found ?? null;
}

/**
 * Has everything of the viewer's put together by a job, in the place of what was ready before. Throws `not-signed-in`,
 * `conflict` while one is being made, and `too-many` for the fourth in a day.
 */
export async function askForExport(tx: Tx, viewer: Viewer): Promise<{ id: string }> {
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Please sign in first.");
  // Of two that are asked for at the same moment, the second sees the first.
  await run(tx, sql`select from people where id = ${viewer.id} for update`);
  const { making, today } = await one(
    tx,
    sql<{ making: boolean; today: number }>`
      select coalesce(bool_or(ready_at is null and expires_at > ${tx.now}), false) as making, count(*)::int as today
      from personal_exports where person_id = ${viewer.id} and created_at > ${later(tx.now, -DAY)}`,
  );
  if (making) throw new Refusal("conflict", "Your export is being made already.");
  if (today >= LIMITS.export.perDay.person)
    throw new Refusal("too-many", "That were three exports in a day. Tomorrow there are more.", { retryAfter: DAY / 1000 });
  await run(tx, sql`update personal_exports set expires_at = ${tx.now} where person_id = ${viewer.id} and expires_at > ${tx.now}`);
  const id = tx.newId();
  // What is not ready within hours has failed, and keeps nobody from asking again.
  await run(
    tx,
    sql`insert into personal_exports (id, person_id, created_at, expires_at)
        values (${id}, ${viewer.id}, ${tx.now}, ${later(tx.now, LIMITS.export.makingHours * (DAY / 24))})`,
  );
  await doLater(tx, { task: "personal-export", payload: { exportId: id }, key: `personal-export:${id}`, mostAttempts: 3 });
  return { id };
}

/** What was made is there, and its owner hears of it by mail. Nothing happens for one that nobody waits for any more. */
export const exportReady = (house: House, { id, hash, size }: { id: string; hash: string; size: number }): Promise<void> =>
  house.inTransaction(async (tx) => {
    const ready = await maybeOne(
      tx,
      sql<{ personId: string }>`
        update personal_exports set ready_at = ${tx.now}, hash = ${hash}, size = ${size}, expires_at = ${later(tx.now, LIMITS.export.days * DAY)}
        where id = ${id} and ready_at is null and expires_at > ${tx.now} returning person_id as "personId"`,
    );
    if (ready) await write(tx, "exportReady", ready.personId, { link: links.ownData(house, ready.personId) });
  });

/** The bytes of a viewer's own export. `not-found` for anybody else's, and for what is not ready or holds no longer. */
export async function exportFileFor(db: Db, viewer: Viewer, id: string, now: Date): Promise<{ hash: string; size: number }> {
  const found =
    isSignedIn(viewer) && isId(id)
      ? await maybeOne(
          db,
          sql<{ hash: string; size: number }>`select hash, size::float8 as size from personal_exports
            where id = ${id} and person_id = ${viewer.id} and ready_at is not null and expires_at > ${now}`,
        )
      : undefined;
  if (!found) throw notFound();
  return found;
}

/**
 * Forgets what has expired; gives the hashes of bytes that nothing else has. That something was asked for is remembered for a
 * day: so many are enough.
 */
export async function forgetExports(tx: Tx): Promise<string[]> {
  const aDayAgo = later(tx.now, -DAY);
  const rows = await many(
    tx,
    sql<{ hash: string }>`
      with gone as (delete from personal_exports where expires_at <= ${tx.now} and created_at <= ${aDayAgo} returning hash),
      over as (
        select id, hash from personal_exports
        where expires_at <= ${tx.now} and created_at > ${aDayAgo} and hash is not null for update),
      emptied as (
        update personal_exports e set ready_at = null, hash = null, size = null from over where e.id = over.id returning over.hash)
      select distinct it.hash from (select hash from gone union all select hash from emptied) it where it.hash is not null and not ${bytesHeld("it", tx.now)}`,
  );
  return rows.map(({ hash }) => hash);
}
