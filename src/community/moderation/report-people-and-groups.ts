import { one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { getGroup } from "#community/groups";
import { getPerson } from "#community/accounts";
import { getResource, hideResource, lockReportedResource } from "#community/resources";
import { groupRules, personRules, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import { type ReportedPicture, storeReportFiles } from "#community/common";
import {
  type NewGroupReport,
  type NewPersonReport,
  type NewResourceReport,
  type ReportDetails,
  toStoredDetails,
} from "./report-forms.ts";
import { assertReportLimit, alreadyReported, PENDING_REPORT_INDEX } from "./report-content.ts";
import { isReportedEnough } from "./reported-enough.ts";
import {
  groupPictures,
  groupSnapshot,
  personPictures,
  personSnapshot,
  resourceSnapshot,
} from "./report-snapshots.ts";
import { lockPendingReports } from "./report-locks.ts";

/**
 * Reports a person to staff with a snapshot of their page as the viewer sees it.
 * @throws `not-found` if the viewer cannot see them, `not-allowed` for oneself or without another staff
 * member, `conflict` while the same report is pending, `too-many` as `reportPost`
 */
export async function reportPerson(
  tx: Tx,
  viewer: Viewer,
  { personId, ...input }: z.output<typeof NewPersonReport> & ReportDetails,
) {
  const me = requireSignedIn(viewer);
  const person = await getPerson(tx, me, personId);
  if (person.state === "erased") throw notFound();
  if (!personRules.report(me, person))
    throw new Refusal("not-allowed", "This is your own profile. You can edit it.");
  return insertReport(tx, me, {
    about: { personId: person.id },
    authorId: person.id,
    html: personSnapshot(person),
    pictures: personPictures(person),
    input,
  });
}

/**
 * Reports a resource with a snapshot to the moderators of its place. After enough reports it is hidden until
 * reviewed.
 * @throws as `reportPerson`, and `conflict` for a resource that is hidden already
 */
export async function reportResource(
  tx: Tx,
  viewer: Viewer,
  { resourceId, ...input }: z.output<typeof NewResourceReport> & ReportDetails,
) {
  const me = requireSignedIn(viewer);
  const resource = await getResource(tx, me, resourceId);
  if (resource.state === "removed") throw notFound();
  if (resource.state === "hidden") await lockReportedResource(tx, resource.id);
  if (!resourceRules.report(me, resource))
    throw new Refusal("not-allowed", "This is your own content. You can edit or delete it.");
  // The owner is read without permission checks: the owner may be hidden from the viewer but cannot decide
  // the report.
  const { ownerId } = await one(
    tx,
    sql<{ ownerId: string | null }>`select owner_id as "ownerId" from resources where id = ${resource.id}`,
  );
  const { id } = await insertReport(tx, me, {
    about: { resourceId: resource.id },
    authorId: ownerId,
    html: resourceSnapshot(resource),
    input,
  });
  if (await isReportedEnough(tx, { resourceId: resource.id })) await hideResource(tx, resource.id);
  return { id };
}

/**
 * Reports a group with a snapshot of its description to staff, not to its own moderators.
 * @throws as `reportPerson`
 */
export async function reportGroup(
  tx: Tx,
  viewer: Viewer,
  { groupId, ...input }: z.output<typeof NewGroupReport> & ReportDetails,
) {
  const me = requireSignedIn(viewer);
  const group = await getGroup(tx, me, groupId);
  if (!groupRules.report(me, group))
    throw new Refusal("not-allowed", "You moderate this group. You can edit it.");
  return insertReport(tx, me, {
    about: { groupId: group.id },
    authorId: null,
    html: groupSnapshot(group),
    pictures: groupPictures(group),
    input,
  });
}

type ReportTarget = { personId?: string; resourceId?: string; groupId?: string };
type NewReportRow = {
  about: ReportTarget;
  authorId: string | null;
  html: string;
  /** Pictures outside the text. */
  pictures?: ReportedPicture[];
  input: ReportDetails & { reason: string };
};

/**
 * Stores a report with its snapshot; without a reporter it is one of a guest.
 * @throws `not-allowed` without a moderator who is not involved, `conflict` while the same report is pending,
 * `too-many` as `reportPost`
 */
export async function insertReport(
  tx: Tx,
  me: SignedIn | null,
  { about, authorId, html, pictures, input }: NewReportRow,
): Promise<{ id: string }> {
  const { personId = null, resourceId = null, groupId = null } = about;
  const reporterId = me?.id ?? null;
  await assertHasOtherModerator(tx, [reporterId, authorId], resourceId);
  if (me) await assertReportLimit(tx, me);
  await lockPendingReports(tx, { aboutId: (personId ?? resourceId ?? groupId)! });
  if (resourceId !== null) await lockReportedResource(tx, resourceId);
  const id = tx.newId();
  const { category, law } = toStoredDetails(input);
  const made = await run(
    tx,
    sql`insert into reports (id, reporter_id, by_guest, person_id, resource_id, group_id, category, law, reason,
      created_at)
        values (${id}, ${reporterId}, ${me === null}, ${personId}, ${resourceId}, ${groupId}, ${category}, ${law},
          ${input.reason}, ${tx.now})
        on conflict ${PENDING_REPORT_INDEX} do nothing`,
  );
  if (made === 0) throw alreadyReported();
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, chosen)
        values (${id}, 0, ${authorId}, ${html}, ${tx.now}, true)`,
  );
  await storeReportFiles(tx, id, pictures);
  await emit(tx, { type: "report.created", reportId: id, by: reporterId });
  return { id };
}

/** Refuses a report that only the people it is about could decide, because it would stay pending for ever. */
async function assertHasOtherModerator(
  tx: Tx,
  part: (string | null)[],
  resourceId: string | null,
): Promise<void> {
  const { others } = await one(
    tx,
    sql<{ others: boolean }>`
      select exists (
        select from people who where who.state = 'active'
          and who.id <> all(${part.filter((id) => id !== null)}::uuid[])
          and (who.site_role <> 'member' or exists (
            select from resources r join memberships m on m.group_id = r.group_id
            where r.id = ${resourceId}::uuid and m.person_id = who.id and m.state = 'member'
              and m.role <> 'member'))) as others`,
  );
  if (!others)
    throw new Refusal("not-allowed", "No moderator here could review this, as all of them are involved.");
}
