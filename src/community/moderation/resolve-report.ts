import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { stripMedia } from "#platform/markup";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { personCard, type PersonCard } from "#community/common";
import {
  unhideReviewedPost,
  restoreReportedPost,
  removeReportedPost,
  deletedWithDiscussion,
} from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { forceArchiveGroup } from "#community/groups";
import { overruleSanction } from "#community/accounts";
import { restoreReportedResource, removeReportedResource } from "#community/resources";
import { type ReportFacts, reportRules, type SignedIn, type Viewer } from "#community/rules";
import type { Resolution } from "./report-forms.ts";
import {
  reportColumns,
  type ReportedPlace,
  type ReportRow,
  joinReportPlaces,
  isSameReport,
} from "./list-reports.ts";
import { lockPendingReports } from "./report-locks.ts";

export type Report = ReportRow &
  ReportFacts & {
    resolvedBy: PersonCard | null;
    note: string;
    /** The reported texts: a post with its number, other subjects under number 0. */
    messages: {
      seq: number;
      author: PersonCard | null;
      html: string;
      at: Date;
      edited: boolean;
      chosen: boolean;
    }[];
    /** Other reports about the same subject, latest first. */
    also: { reporter: PersonCard; reason: string; at: Date }[];
    /**
     * For an appeal: the person who removed the content or imposed the sanction, and the reason. Null once
     * the content is restored or the sanction is over.
     */
    removal: {
      by: PersonCard | null;
      reason: string;
      at: Date;
      state: "limited" | "suspended" | null;
      until: Date | null;
    } | null;
    answer: string;
    /** The post or resource is visible, and the viewer may remove it by resolving the report. */
    canTakeDown: boolean;
    /** The group is active, and the viewer may archive it by resolving the report. */
    canArchive: boolean;
  };

/**
 * One report with its snapshot, without pictures and links. The viewing is logged once per person.
 * @throws `not-found` for people who do not moderate its place, and for those involved
 */
export async function viewReport(tx: Tx, viewer: Viewer, reportId: string): Promise<Report> {
  const report = await findReport(tx, viewer, reportId);
  const looked = await maybeOne(
    tx,
    sql`select from audit_events
      where object_kind = 'report' and object_id = ${report.id} and act = 'report.read'
        and actor_id = ${viewer.id}::uuid`,
  );
  if (!looked) await writeAudit(tx, viewer, { act: "report.read", kind: "report", id: report.id });
  return report;
}

/**
 * Resolves a report, and all pending reports about the same subject, with a note for moderators. On request
 * it removes the content or archives the group; otherwise a hidden post becomes visible again. For an
 * appeal, it restores the content or lifts the sanction, or leaves it unchanged.
 * @throws `not-found`, `not-allowed`, `invalid` on `outcome` and `reason`, `conflict` if another moderator
 * was faster
 */
export async function resolveReport(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof Resolution>,
): Promise<void> {
  const waiting = await lockPendingReports(tx, { reportId: input.reportId });
  const report = await findReport(tx, viewer, input.reportId);
  if (!reportRules.resolve(viewer, report))
    throw new Refusal("conflict", "This report has already been closed.");
  const { outcome, answer } = await (report.appeal ? decideAppeal : decideReport)(tx, viewer, report, input);
  await run(
    tx,
    sql`update reports set resolved_at = ${tx.now}, resolved_by = ${viewer.id}::uuid, outcome = ${outcome},
      note = ${input.note}, answer = ${answer}
        where id = any(${waiting.map(({ id }) => id)}::uuid[])`,
  );
  await writeAudit(tx, viewer, {
    act: `report.${outcome}`,
    kind: "report",
    id: report.id,
    reason: input.note || null,
  });
  for (const { id, reporterId } of waiting)
    await emit(tx, { type: "report.resolved", reportId: id, outcome, personId: reporterId, by: viewer.id });
}

type AppealDecision = { outcome: "upheld" | "rejected"; answer: string };

async function decideReport(
  tx: Tx,
  viewer: Viewer,
  report: Report,
  { outcome, reason }: z.output<typeof Resolution>,
): Promise<AppealDecision> {
  if (outcome === "restored") throw invalid("outcome", "Choose a decision.");
  if (outcome === "removed") await removeReportedContent(tx, viewer, report, reason);
  else if (outcome === "archived") await archiveReportedGroup(tx, viewer, report, reason);
  else if (report.place?.postId) await unhideReviewedPost(tx, viewer, report.place.postId);
  return { outcome: outcome === "rejected" ? "rejected" : "upheld", answer: "" };
}

/** Restores the content or leaves it removed. The author receives the reason. */
async function decideAppeal(
  tx: Tx,
  viewer: Viewer,
  report: Report,
  { outcome, reason }: z.output<typeof Resolution>,
): Promise<AppealDecision> {
  if (outcome !== "restored" && outcome !== "rejected")
    throw invalid("outcome", "Decide whether the content is restored.");
  if (reason.trim() === "") throw invalid("reason", "Enter a reason. The author will read it.");
  const { place } = report;
  const me = requireSignedIn(viewer);
  if (place?.kind === "person")
    return decideSanctionAppeal(tx, me, report, { outcome, reason: reason.trim() });
  if (outcome === "rejected") return { outcome, answer: reason.trim() };
  if (!place) throw new Refusal("gone", "It is no longer stored.");
  await (place.postId === null
    ? restoreReportedResource(tx, me, { resourceId: place.id, reason })
    : restoreReportedPost(tx, me, { postId: place.postId, reason }));
  return { outcome: "upheld", answer: reason.trim() };
}

/** Lifts the sanction or leaves it unchanged; the person gets a mail. */
async function decideSanctionAppeal(
  tx: Tx,
  me: SignedIn,
  { id, place, removal }: Report,
  { outcome, reason }: { outcome: "restored" | "rejected"; reason: string },
): Promise<AppealDecision> {
  if (!removal) throw new Refusal("conflict", "This is already over.");
  const personId = place!.id;
  if (outcome === "restored") await overruleSanction(tx, me, { personId, reason });
  else await emit(tx, { type: "person.appeal-declined", personId, reportId: id, by: me.id });
  return { outcome: outcome === "restored" ? "upheld" : "rejected", answer: reason };
}

async function removeReportedContent(tx: Tx, viewer: Viewer, report: Report, reason: string): Promise<void> {
  if (!reportRules.takeDown(viewer, report))
    throw new Refusal("not-allowed", "You cannot remove this content.");
  if (!report.place || !canRemove(report.place))
    throw invalid("outcome", "The content is already gone. Decide whether the report was valid.");
  const { place: target } = report;
  const me = requireSignedIn(viewer);
  await (target.postId === null
    ? removeReportedResource(tx, me, { resourceId: target.id, reason })
    : removeReportedPost(tx, me, { postId: target.postId, reason }));
}

async function archiveReportedGroup(
  tx: Tx,
  viewer: Viewer,
  { place, canArchive }: Report,
  reason: string,
): Promise<void> {
  if (!place || !canArchive)
    throw invalid("outcome", "There is no active group to archive. Decide whether the report was valid.");
  if (reason.trim() === "")
    throw invalid("reason", "Enter a reason. Moderators of the group read it in the log.");
  await forceArchiveGroup(tx, requireSignedIn(viewer), { groupId: place.id, reason: reason.trim() });
}

/** Whether the subject can be removed: only posts and resources can. */
const canRemove = (target: ReportedPlace) =>
  !target.gone && (target.postId !== null || target.kind === "resource");

async function findReport(tx: Tx, viewer: Viewer, id: string): Promise<Report> {
  if (viewer.id === null || !isId(id)) throw notFound();
  const me = requireSignedIn(viewer);
  const row = await maybeOne(
    tx,
    sql<Omit<Report, "canTakeDown" | "canArchive">>`
      select ${reportColumns(me)}, r.resolved_at is not null as resolved, r.note, r.answer,
        (select json_build_object('by', case when remover.id is not null then ${personCard("remover")}
          end, 'reason', x.removed_reason, 'at', x.removed_at,
           'state', x.state, 'until', x.until)
         from (select case when ${deletedWithDiscussion("x", "d")} then d.deleted_by else x.removed_by
           end as removed_by,
             case when ${deletedWithDiscussion("x", "d")} then d.deleted_reason else x.removed_reason
               end as removed_reason,
             case when ${deletedWithDiscussion("x", "d")} then d.deleted_at else x.removed_at
               end as removed_at, null as state, null::timestamptz as until
           from posts x left join discussions d on d.id = x.discussion_id
           where x.id = r.post_id and (${deletedWithDiscussion("x", "d")} or x.state = 'removed')
           union all select removed_by, removed_reason, removed_at, null, null from resources
           where id = r.resource_id and state = 'removed'
           union all select put.given_by, coalesce(under.state_reason, ''), put.since, under.state,
           under.state_until
             from sanctions put join people under on under.id = put.person_id
               where put.person_id = r.person_id and under.state in ('limited', 'suspended')) x
         left join people remover on remover.id = x.removed_by where r.appeal) as removal,
        (select ${personCard("judge")} from people judge where judge.id = r.resolved_by) as "resolvedBy",
        (select coalesce(json_agg(json_build_object('reporter', ${personCard("other")}, 'reason', o.reason,
          'at', o.created_at) order by o.created_at desc, o.id), '[]')
         from reports o join people other on other.id = o.reporter_id
           where ${isSameReport("o")} and o.id <> r.id) as also,
        (select coalesce(json_agg(json_build_object('seq', m.seq, 'html', m.body_html, 'at', m.written_at,
          'edited', m.edited_at is not null, 'chosen', m.chosen,
           'author', case when author.id is not null then ${personCard("author")} end) order by m.seq), '[]')
         from reported_messages m left join people author on author.id = m.author_id
           where m.report_id = r.id) as messages
      from ${joinReportPlaces(me)} where r.id = ${id}`,
  );
  if (!row || !reportRules.read(viewer, row)) throw notFound();
  return {
    ...row,
    also: row.also.map((it) => ({ ...it, at: new Date(it.at) })),
    messages: row.messages.map((it) => ({ ...it, html: stripMedia(it.html), at: new Date(it.at) })),
    removal: row.removal && {
      ...row.removal,
      at: new Date(row.removal.at),
      until: row.removal.until && new Date(row.removal.until),
    },
    canTakeDown:
      !row.appeal && row.place !== null && canRemove(row.place) && reportRules.takeDown(viewer, row),
    canArchive: row.place !== null && row.place.active && reportRules.archive(viewer, row),
  };
}
