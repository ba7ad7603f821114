import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, maybeOne, many, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { enqueueJob as doLater } from "#platform/jobs";
import { notFound, Refusal } from "#platform/refusal";
import { areBytesInUse } from "#community/common";
import { isSignedIn, type Viewer, SERVER_LIMITS } from "#community/rules";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";

/** A personal export: in progress, or ready for its owner alone until it expires. */
export type PersonalExport = {
  id: string;
  createdAt: Date;
  readyAt: Date | null;
  expiresAt: Date;
  size: number | null;
};

const columns = sql`id, created_at as "createdAt", ready_at as "readyAt", expires_at as "expiresAt",
  size::float8 as size`;

/** The viewer's latest export; null if there is no valid export. */
export async function getOwnExport(db: Db, viewer: Viewer, now: Date): Promise<PersonalExport | null> {
  if (!isSignedIn(viewer)) return null;
  const found = await maybeOne(
    db,
    sql<PersonalExport>`select ${columns} from personal_exports
      where person_id = ${viewer.id} and expires_at > ${now} order by created_at desc limit 1`,
  );
  return found ?? null;
}

/**
 * Requests an export of the viewer's data. A job creates the export, which replaces an earlier one.
 * @throws `not-signed-in`, `conflict` while an export is in progress, `too-many` for the fourth in a day
 */
export async function requestExport(tx: Tx, viewer: Viewer): Promise<{ id: string }> {
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Sign in first.");
  // The lock makes the second of two concurrent requests see the first.
  await run(tx, sql`select from people where id = ${viewer.id} for update`);
  const { making, today } = await one(
    tx,
    sql<{ making: boolean; today: number }>`
      select coalesce(bool_or(ready_at is null and expires_at > ${tx.now}), false) as making,
        count(*)::int as today
      from personal_exports where person_id = ${viewer.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  if (making) throw new Refusal("conflict", "Your export is already being prepared.");
  if (today >= SERVER_LIMITS.export.perDay.person)
    throw new Refusal("too-many", "You have reached the limit of three exports a day. Come back tomorrow.", {
      retryAfter: DAY / 1000,
    });
  await run(
    tx,
    sql`update personal_exports set expires_at = ${tx.now}
      where person_id = ${viewer.id} and expires_at > ${tx.now}`,
  );
  const id = tx.newId();
  // An export that is not ready within hours has failed and no longer blocks a new one.
  await run(
    tx,
    sql`insert into personal_exports (id, person_id, created_at, expires_at)
        values (${id}, ${viewer.id}, ${tx.now},
          ${addMilliseconds(tx.now, SERVER_LIMITS.export.makingHours * (DAY / 24))})`,
  );
  await doLater(tx, {
    task: "personal-export",
    payload: { exportId: id },
    key: `personal-export:${id}`,
    mostAttempts: 3,
  });
  return { id };
}

/**
 * Marks an export as ready and mails its owner. Does nothing for an export that was replaced, has expired or
 * is ready already.
 */
export const completeExport = (
  app: Pick<AccountsContext, "database" | "settings" | "origin">,
  { id, hash, size }: { id: string; hash: string; size: number },
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    const ready = await maybeOne(
      tx,
      sql<{ personId: string }>`
        update personal_exports set ready_at = ${tx.now}, hash = ${hash}, size = ${size},
          expires_at = ${addMilliseconds(tx.now, SERVER_LIMITS.export.days * DAY)}
        where id = ${id} and ready_at is null and expires_at > ${tx.now} returning person_id as "personId"`,
    );
    if (ready)
      await sendAccountMail(tx, "exportReady", ready.personId, {
        link: accountMailLinks.ownData(app, ready.personId),
      });
  });

/**
 * The file of the viewer's own export.
 * @throws `not-found` for other people's exports, and if the export is not ready or has expired
 */
export async function getExportFile(
  db: Db,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<{ hash: string; size: number }> {
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
 * Deletes expired exports; returns the hashes of files that nothing else uses. Requests are stored for a
 * day, for the daily limit.
 */
export async function deleteExpiredExports(tx: Tx): Promise<string[]> {
  const aDayAgo = addMilliseconds(tx.now, -DAY);
  const rows = await many(
    tx,
    sql<{ hash: string }>`
      with gone as (delete from personal_exports where expires_at <= ${tx.now} and created_at <= ${aDayAgo}
        returning hash),
      over as (
        select id, hash from personal_exports
        where expires_at <= ${tx.now} and created_at > ${aDayAgo} and hash is not null for update),
      emptied as (
        update personal_exports e set ready_at = null, hash = null, size = null from over where e.id = over.id
        returning over.hash)
      select distinct it.hash from (select hash from gone union all select hash from emptied) it
      where it.hash is not null and not ${areBytesInUse("it", tx.now)}`,
  );
  return rows.map(({ hash }) => hash);
}
