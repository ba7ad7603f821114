import { limit, many, sql, type Tx } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { reportRules, type SignedIn } from "#community/rules";
import { concernsViewerCondition, joinReportPlaces, reportColumns, type ReportRow } from "../list-reports.ts";
import type { Case } from "./find-case.ts";
import { actionColumn, type CaseAction, joinLatestReport } from "./list-cases.ts";

/** A decided case, with its decision and the rule that the decision cites. */
export type Precedent = ReportRow & { action: CaseAction | null; rule: string };

const MAX_PRECEDENTS = 5;
/** Maximum number of decided cases that are looked through, latest first. */
const MAX_SEARCHED = 500;

/**
 * Decided cases with the same kind of subject and the same category in the same group, or outside of groups,
 * latest first: how moderators decided before. An appeal has none.
 */
export async function listPrecedents(tx: Tx, me: SignedIn, it: Case): Promise<Precedent[]> {
  if (it.appeal) return [];
  const rows = await many(
    tx,
    sql<Precedent>`
      select ${reportColumns(me)}, ${actionColumn(me)} as action, c.rule
      from (
        select decided.* from cases decided
        where decided.resolved_at is not null and decided.duplicate_of is null and not decided.appeal
          and decided.id <> ${it.caseId} and decided.subject_kind = ${it.kind}
          and decided.group_id is not distinct from ${it.groupId}::uuid
        order by decided.resolved_at desc, decided.id desc ${limit(MAX_SEARCHED)}) c
      ${joinLatestReport} ${joinReportPlaces(me)}
      where r.category = ${it.category.id} and not ${concernsViewerCondition(me)}
        and ${reportRules.list(me) ? sql`true` : sql`at.led`}
      order by c.resolved_at desc, c.id desc ${limit(MAX_PRECEDENTS)}`,
  );
  return rows.map((row) => ({ ...row, reason: createExcerpt(row.reason.replaceAll("<", "&lt;"), 160) }));
}
