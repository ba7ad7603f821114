import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { withoutSights } from "#platform/markup";
import { announce } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { personCard, type PersonCard } from "#community/common";
import { endHiding, takeDown } from "#community/discussions";
import { signedIn } from "#community/friends";
import { type ReportFacts, reportRules, type Viewer } from "#community/rules";
import type { Resolution } from "./forms.ts";
import { reportColumns, type ReportRow, reportsWithPlaces, sameAs } from "./reports.ts";
import { lockWaiting } from "./waiting.ts";

export type Report = ReportRow &
  ReportFacts & {
    resolvedBy: PersonCard | null;
    note: string;
    /** Of a post that is all of it, with its number. */
    messages: { seq: number; author: PersonCard | null; html: string; at: Date; edited: boolean; chosen: boolean }[];
    /** What others said who have reported the same post, the latest first. */
    also: { reporter: PersonCard; reason: string; at: Date }[];
    /** The post still stands, and the viewer may take it away with this. */
    mayTakeDown: boolean;
  };

/**
 * One report with what it shows, without its pictures and links. That somebody has looked is written down, once for each.
 * `not-found` for who does not look after where it stands, and for who is part of it.
 */
export async function lookAtReport(tx: Tx, viewer: Viewer, reportId: string): Promise<Report> {
  const report = await found(tx, viewer, reportId);
  const looked = await maybeOne(
    tx,
    sql`select from audit_events where object_kind = 'report' and object_id = ${report.id} and act = 'report.read' and actor_id = ${viewer.id}::uuid`,
  );
  if (!looked) await audit(tx, viewer, { act: "report.read", kind: "report", id: report.id });
  return report;
}

/**
 * Ends a report, and all that wait about the same post, with a note for those who look after the place; where it is so decided the post
 * goes with it, and else, if it was hidden meanwhile, is shown again. Throws `not-found`, `not-allowed`, `invalid` on `outcome` and `reason`, and `conflict` where somebody was quicker.
 */
export async function resolveReport(tx: Tx, viewer: Viewer, input: z.output<typeof Resolution>): Promise<void> {
  const waiting = await lockWaiting(tx, { reportId: input.reportId });
  const report = await found(tx, viewer, input.reportId);
  if (!reportRules.resolve(viewer, report)) throw new Refusal("conflict", "Somebody has ended this report already.");
  const outcome = input.outcome === "removed" ? "upheld" : input.outcome;
  if (input.outcome === "removed") await takeAway(tx, viewer, report, input.reason);
  else if (report.place) await endHiding(tx, viewer, report.place.postId);
  await run(
    tx,
    sql`update reports set resolved_at = ${tx.now}, resolved_by = ${viewer.id}::uuid, outcome = ${outcome}, note = ${input.note}
        where id = any(${waiting.map(({ id }) => id)}::uuid[])`,
  );
  await audit(tx, viewer, { act: `report.${outcome}`, kind: "report", id: report.id, reason: input.note || null });
  for (const { id, reporterId } of waiting)
    await announce(tx, { type: "report.resolved", reportId: id, outcome, personId: reporterId, by: viewer.id });
}

async function takeAway(tx: Tx, viewer: Viewer, report: Report, reason: string): Promise<void> {
  if (!reportRules.takeDown(viewer, report)) throw new Refusal("not-allowed", "You cannot take away what stands there.");
  if (!report.place || report.place.gone) throw invalid("outcome", "It is gone already. Say whether it was right to report it.");
  await takeDown(tx, signedIn(viewer), { postId: report.place.postId, reason });
}

async function found(tx: Tx, viewer: Viewer, id: string): Promise<Report> {
  if (viewer.id === null || !isId(id)) throw notFound();
  const me = signedIn(viewer);
  const row = await maybeOne(
    tx,
    sql<Omit<Report, "mayTakeDown">>`
      select ${reportColumns(me)}, r.resolved_at is not null as resolved, r.note,
        (select ${personCard("judge")} from people judge where judge.id = r.resolved_by) as "resolvedBy",
        (select coalesce(json_agg(json_build_object('reporter', ${personCard("other")}, 'reason', o.reason, 'at', o.created_at) order by o.created_at desc, o.id), '[]')
         from reports o join people other on other.id = o.reporter_id where ${sameAs("o")} and o.id <> r.id) as also,
        (select json_agg(json_build_object('seq', m.seq, 'html', m.body_html, 'at', m.written_at, 'edited', m.edited_at is not null, 'chosen', m.chosen,
           'author', case when author.id is not null then ${personCard("author")} end) order by m.seq)
         from reported_messages m left join people author on author.id = m.author_id where m.report_id = r.id) as messages
      from ${reportsWithPlaces(me)} where r.id = ${id}`,
  );
  if (!row || !reportRules.read(viewer, row)) throw notFound();
  return {
    ...row,
    also: row.also.map((it) => ({ ...it, at: new Date(it.at) })),
    messages: row.messages.map((it) => ({ ...it, html: withoutSights(it.html), at: new Date(it.at) })),
    mayTakeDown: row.place !== null && !row.place.gone && reportRules.takeDown(viewer, row),
  };
}
