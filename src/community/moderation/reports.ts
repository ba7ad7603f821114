import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { excerptOf, withoutSights } from "#platform/markup";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { cursorOf, given, type Page, pageOf, personCard, type PersonCard, readCursor } from "#community/common";
import { blockersOf, signedIn } from "#community/friends";
import { LIMITS, type ReportFacts, reportRules, type SignedIn, type Viewer } from "#community/rules";
import type { Resolution } from "./forms.ts";

export type ReportRow = {
  id: string;
  reporter: PersonCard;
  /** Who wrote what was chosen. */
  authors: PersonCard[];
  reason: string;
  createdAt: Date;
  resolvedAt: Date | null;
  outcome: "upheld" | "rejected" | null;
};
export type Report = ReportRow &
  ReportFacts & {
    resolvedBy: PersonCard | null;
    note: string;
    messages: { seq: number; author: PersonCard | null; html: string; at: Date; edited: boolean; chosen: boolean }[];
  };

const SIZE = LIMITS.page.cards;

/** Whether the viewer made it, or wrote something that it shows: then others look at it. Twin of `concernsViewer`. */
const concerns = (me: SignedIn) => sql<boolean>`
  (r.reporter_id = ${me.id} or exists (select from reported_messages own where own.report_id = r.id and own.author_id = ${me.id}))`;

const columns = (me: SignedIn) => sql`
  r.id, ${personCard("reporter")} as reporter, r.reason, r.created_at as "createdAt", r.resolved_at as "resolvedAt", r.outcome, ${concerns(me)} as "concernsViewer",
  (select coalesce(json_agg(${personCard("author")} order by author.id), '[]') from people author
   where author.id in (select author_id from reported_messages where report_id = r.id and chosen)) as authors`;

/** What was reported and waits, or is done, the latest first; without what the viewer is part of. `not-found` for all but staff. */
export async function reportsFor(db: Db, viewer: Viewer, query: { tab: "open" | "resolved"; after?: string }): Promise<Page<ReportRow>> {
  if (!reportRules.list(viewer)) throw notFound();
  const me = signedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const at = query.tab === "open" ? sql`r.created_at` : sql`r.resolved_at`;
  const rows = await many(
    db,
    sql<ReportRow>`
      select ${columns(me)} from reports r join people reporter on reporter.id = r.reporter_id
      where r.resolved_at is ${query.tab === "open" ? sql`null` : sql`not null`} and not ${concerns(me)}
        ${given(cursor, ([time, id]) => sql`(${at}, r.id) < (${time}, ${id}::uuid)`)}
      order by ${at} desc, r.id desc ${limit(SIZE + 1)}`,
  );
  const short = rows.map((row) => ({ ...row, reason: excerptOf(row.reason.replaceAll("<", "&lt;"), 160) }));
  return pageOf(short, SIZE, (last) => cursorOf(query.tab === "open" ? last.createdAt : last.resolvedAt!, last.id));
}

/** A report as whoever made it finds it again: without who judged it and what was noted. */
export type OwnReport = Pick<ReportRow, "id" | "reason" | "createdAt" | "resolvedAt" | "outcome"> & { authors: string[] };

/** What the viewer has reported, the latest first, and how it ended. Throws `not-signed-in`. */
export async function ownReports(db: Db, viewer: Viewer, query: { after?: string | undefined } = {}): Promise<Page<OwnReport>> {
  const me = signedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<OwnReport>`
      select r.id, r.reason, r.created_at as "createdAt", r.resolved_at as "resolvedAt", r.outcome,
        array(select distinct author.display_name from reported_messages x join people author on author.id = x.author_id
              where x.report_id = r.id and x.chosen and author.id <> all(${blockersOf(me)}) order by 1) as authors
      from reports r where r.reporter_id = ${me.id} ${given(cursor, ([time, id]) => sql`(r.created_at, r.id) < (${time}, ${id}::uuid)`)}
      order by r.created_at desc, r.id desc ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.createdAt, last.id));
}

/**
 * One report with the messages that it shows, without their pictures and links. That somebody of the staff has looked is
 * written down, once for each. `not-found` for everybody else, and for who is part of it.
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

/** Ends a report, with a note for those who look after the place. Throws `not-found`, and `conflict` where somebody was quicker. */
export async function resolveReport(tx: Tx, viewer: Viewer, input: z.output<typeof Resolution>): Promise<void> {
  const report = await found(tx, viewer, input.reportId, sql`for no key update of r`);
  if (!reportRules.resolve(viewer, report)) throw new Refusal("conflict", "Somebody has ended this report already.");
  await run(
    tx,
    sql`update reports set resolved_at = ${tx.now}, resolved_by = ${viewer.id}::uuid, outcome = ${input.outcome}, note = ${input.note} where id = ${report.id}`,
  );
  await audit(tx, viewer, { act: `report.${input.outcome}`, kind: "report", id: report.id, reason: input.note || null });
  await announce(tx, { type: "report.resolved", reportId: report.id, outcome: input.outcome, personId: report.reporter.id, by: viewer.id });
}

async function found(tx: Tx, viewer: Viewer, id: string, lock = sql``): Promise<Report> {
  if (!reportRules.list(viewer) || !isId(id)) throw notFound();
  const row = await maybeOne(
    tx,
    sql<Report>`
      select ${columns(signedIn(viewer))}, r.resolved_at is not null as resolved, r.note,
        (select ${personCard("judge")} from people judge where judge.id = r.resolved_by) as "resolvedBy",
        (select json_agg(json_build_object('seq', m.seq, 'html', m.body_html, 'at', m.written_at, 'edited', m.edited_at is not null, 'chosen', m.chosen,
           'author', case when author.id is not null then ${personCard("author")} end) order by m.seq)
         from reported_messages m left join people author on author.id = m.author_id where m.report_id = r.id) as messages
      from reports r join people reporter on reporter.id = r.reporter_id where r.id = ${id} ${lock}`,
  );
  if (!row || !reportRules.read(viewer, row)) throw notFound();
  return { ...row, messages: row.messages.map((it) => ({ ...it, html: withoutSights(it.html), at: new Date(it.at) })) };
}
