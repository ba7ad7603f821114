import { DAY, addMilliseconds } from "#platform/clock";
import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { queueMail } from "#platform/mail";
import { writeAudit } from "#community/audit";
import { areBytesInUse } from "#community/common";
import { type GroupFacts, groupRules, type SignedIn, SERVER_LIMITS } from "#community/rules";
import { composeExportEmail } from "./export-email.ts";
import { groupFactsJson } from "../group-columns.ts";

// Steps of the job that creates group exports.

/** The person who requested the export, and the group as they may read it now. */
export type GroupExportRequest = {
  viewer: SignedIn;
  group: GroupFacts & { id: string; slug: string; name: string };
};
type ExportRequestRow = { viewer: SignedIn; isHere: boolean; group: GroupExportRequest["group"] | null };

/**
 * The request of an export; null when the person no longer owns the group or has no account, and for an
 * export that is not pending.
 */
async function findExportRequest(tx: Tx, exportId: string): Promise<GroupExportRequest | null> {
  const request = await maybeOne(
    tx,
    sql<ExportRequestRow>`
      select json_build_object('id', p.id, 'role', p.site_role, 'trust', p.trust, 'limited',
        p.state = 'limited') as viewer,
        p.state in ('active', 'limited') as "isHere", case
          when g.id is not null then ${groupFactsJson("g", "m")}
          end as "group"
      from group_exports e join people p on p.id = e.person_id left join groups g on g.id = e.group_id
      left join memberships m on m.group_id = g.id and m.person_id = p.id
      where e.id = ${exportId}::uuid and e.ready_at is null and not e.too_large and e.expires_at > ${tx.now}`,
  );
  if (!request?.isHere || !request.group || !groupRules.export(request.viewer, request.group)) return null;
  return { viewer: request.viewer, group: request.group };
}

/**
 * The request of the export that the job creates now. A pending export that may no longer be created is
 * deleted, so that it does not block other owners.
 */
export async function startGroupExport(tx: Tx, exportId: string): Promise<GroupExportRequest | null> {
  const found = await findExportRequest(tx, exportId);
  if (!found)
    await run(
      tx,
      sql`delete from group_exports where id = ${exportId}::uuid and ready_at is null and not too_large`,
    );
  return found;
}

/** Marks an export whose content exceeds the size limit. */
export const markGroupExportTooLarge = (tx: Tx, exportId: string): Promise<number> =>
  run(
    tx,
    sql`update group_exports set too_large = true, expires_at = ${tx.now}
      where id = ${exportId} and ready_at is null`,
  );

type ExportMailContext = { community: string; linkTo: (slug: string) => string };

/**
 * Marks an export as ready, mails the person who requested it, and adds it to the group's log. If that
 * person may no longer have the export, its file is deleted.
 */
export async function completeGroupExport(
  tx: Tx,
  made: { id: string; hash: string; size: number },
  from: ExportMailContext,
): Promise<void> {
  const found = await findExportRequest(tx, made.id);
  const until = found ? addMilliseconds(tx.now, SERVER_LIMITS.export.days * DAY) : tx.now;
  await run(
    tx,
    sql`update group_exports set ready_at = ${tx.now}, hash = ${made.hash}, size = ${made.size},
      expires_at = ${until}, too_large = false
        where id = ${made.id} and ready_at is null`,
  );
  if (!found) return;
  const { viewer, group } = found;
  await writeAudit(tx, viewer, { act: "group.exported", kind: "group", id: group.id });
  const { email, name, locale } = await one(
    tx,
    sql<{
      email: string | null;
      name: string;
      locale: string;
    }>`select email, display_name as name, locale from people where id = ${viewer.id}`,
  );
  const content = composeExportEmail(locale, {
    name,
    group: group.name,
    community: from.community,
    link: from.linkTo(group.slug),
  });
  if (email) await queueMail(tx, { to: email, personId: viewer.id, letter: content });
}

/**
 * Deletes exports that have expired or whose group was deleted; returns the hashes of files that nothing
 * else uses. Requests are stored for a day, for the daily limit.
 */
export async function deleteExpiredGroupExports(tx: Tx): Promise<string[]> {
  const aDayAgo = addMilliseconds(tx.now, -DAY);
  const isOver = sql`(expires_at <= ${tx.now} or group_id is null)`;
  const rows = await many(
    tx,
    sql<{ hash: string }>`
      with gone as (delete from group_exports
        where ${isOver} and (created_at <= ${aDayAgo} or group_id is null) returning hash),
      over as (select id, hash from group_exports
        where ${isOver} and created_at > ${aDayAgo} and group_id is not null and hash is not null for update),
      emptied as (update group_exports e set hash = null, size = null from over where e.id = over.id
        returning over.hash)
      select distinct it.hash from (select hash from gone union all select hash from emptied) it
      where it.hash is not null and not ${areBytesInUse("it", tx.now)}`,
  );
  return rows.map(({ hash }) => hash);
}
