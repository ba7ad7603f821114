import { type Db, limit, many, one, sql } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { notFound, Refusal } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { requireSignedIn } from "#community/friends";
import { isGroupModerator, viewerMembership } from "#community/groups";
import { type GroupFacts, isStaff, LIMITS, reportRules, type SignedIn, type Viewer } from "#community/rules";
import { concernsViewerCondition, joinReportPlaces, reportColumns, type ReportRow } from "../list-reports.ts";
import { type CaseRisk, type RiskFactors, riskFactorsColumn, toCaseRisk } from "./case-risk.ts";

const PAGE_SIZE = LIMITS.page.cards;

/** A case in the queue, with its latest report. */
export type CaseRow = ReportRow & {
  kind: CaseKind | null;
  state: "open" | "in_progress" | "resolved" | "rejected";
  assignee: PersonCard | null;
  action: CaseAction | null;
  openedAt: Date;
  reportsCount: number;
  risk: CaseRisk;
  /** The reported content can be removed, and the viewer may remove it. */
  canRemove: boolean;
};
export const CASE_KINDS = ["post", "messages", "person", "resource", "group"] as const;
export type CaseKind = (typeof CASE_KINDS)[number];
/** `noted` is shown as `none` to group moderators, who may not know of notes on people. */
export type CaseAction =
  | "none"
  | "noted"
  | "warned"
  | "returned"
  | "slowed"
  | "locked"
  | "banned"
  | "removed"
  | "archived"
  | "limited"
  | "suspended"
  | "restored"
  | "kept";

/**
 * `risk` and `reports` sort equal cases by the time at which the case was opened, longest waiting first; `oldest` and
 * `newest` all cases. Decided cases are always latest first.
 */
export const CASE_SORTS = ["risk", "oldest", "newest", "reports"] as const;
export type CaseQuery = {
  tab: "open" | "resolved";
  sort?: (typeof CASE_SORTS)[number] | undefined;
  /** Cases about this kind of subject, or appeals. */
  kind?: CaseKind | "appeal" | undefined;
  /** Cases that are assigned to the viewer, or to no one. */
  assigned?: "me" | "nobody" | undefined;
  openedBefore?: Date | undefined;
  /** Category of the latest report. */
  category?: string | undefined;
  /** Id of the group that the list is restricted to, among those whose cases the viewer may list. */
  inGroup?: string | undefined;
  after?: string | undefined;
  /** Restricts the list to a group, for its moderators. */
  group?: (GroupFacts & { id: string }) | undefined;
};

/** Action of the case `c` as the viewer may know it. */
export const actionColumn = (me: SignedIn) =>
  sql`case when c.action = 'noted' and not ${isStaff(me)}::boolean then 'none' else c.action end`;

/** The latest report of the case `c` as `r`: one that is open, if there is one. */
export const joinLatestReport = sql`
  join lateral (
    select latest.* from reports latest where latest.case_id = c.id
    order by latest.resolved_at is null desc, latest.created_at desc, latest.id desc limit 1) r on true`;

const ORDERS = {
  risk: { keys: [sql`(-c.risk)`, sql`c.opened_at`, sql`c.id`], descending: false },
  newest: { keys: [sql`c.opened_at`, sql`c.id`], descending: true },
  oldest: { keys: [sql`c.opened_at`, sql`c.id`], descending: false },
  reports: { keys: [sql`(-c.reports_count)`, sql`c.opened_at`, sql`c.id`], descending: false },
  resolved: { keys: [sql`c.resolved_at`, sql`c.id`], descending: true },
};

/**
 * Open or decided cases, without those that involve the viewer. Staff see all, moderators those in their
 * groups.
 * @throws `not-found` for everyone else; within a group `not-allowed`
 */
export async function listCases(db: Db, viewer: Viewer, query: CaseQuery): Promise<Page<CaseRow>> {
  await assertCanListCases(db, viewer, query.group);
  const me = requireSignedIn(viewer);
  const order = query.tab === "resolved" ? "resolved" : (query.sort ?? "risk");
  const { keys, descending } = ORDERS[order];
  const isByPoints = order === "risk" || order === "reports";
  const cursor = readCursor(query.after, isByPoints ? ["number", "time", "id"] : ["time", "id"]);
  const rows = await many(
    db,
    sql<Omit<CaseRow, "canRemove" | "risk"> & { riskPoints: number; riskFactors: RiskFactors }>`
      select ${reportColumns(me)}, c.subject_kind as kind, c.state, ${actionColumn(me)} as action,
        c.opened_at as "openedAt",
        c.reports_count as "reportsCount", c.risk as "riskPoints", ${riskFactorsColumn} as "riskFactors",
        (select ${personCard("assignee")} from people assignee where assignee.id = c.assignee_id) as assignee
      from cases c ${joinLatestReport} ${joinReportPlaces(me)}
      where ${caseFilters(me, query)} and ${visibleReports(me, query.group)}
        and not ${concernsViewerCondition(me)}
        ${andIfGiven(
          cursor,
          (values: (Date | number | string)[]) =>
            sql`(${sql.join(keys)}) ${descending ? sql`<` : sql`>`} (${sql.join(
              values.map((value, at) => (at === values.length - 1 ? sql`${value}::uuid` : sql`${value}`)),
            )})`,
        )}
      order by ${sql.join(descending ? keys.map((key) => sql`${key} desc`) : keys)} ${limit(PAGE_SIZE + 1)}`,
  );
  const short = rows.map(({ riskPoints, riskFactors, ...row }) => ({
    ...row,
    risk: toCaseRisk(riskPoints, riskFactors),
    reason: createExcerpt(row.reason.replaceAll("<", "&lt;"), 160),
    canRemove:
      !row.appeal &&
      row.place !== null &&
      !row.place.gone &&
      (row.place.postId !== null || row.place.kind === "resource") &&
      reportRules.takeDown(viewer, { ...row, resolved: row.resolvedAt !== null }),
  }));
  return toPage(short, PAGE_SIZE, (last) =>
    isByPoints
      ? encodeCursor(-(order === "risk" ? last.risk.points : last.reportsCount), last.openedAt, last.caseId)
      : encodeCursor(order === "resolved" ? last.resolvedAt! : last.openedAt, last.caseId),
  );
}

/** Condition for the cases `c` that the query asks for, among those that the viewer may list. */
export function caseFilters(
  me: SignedIn,
  { tab, kind, assigned, openedBefore, category, inGroup, group }: CaseQuery,
) {
  const only = group?.id ?? inGroup;
  return sql.join(
    [
      tab === "open" ? sql`c.state in ('open', 'in_progress')` : sql`c.resolved_at is not null`,
      ...(only ? [sql`c.group_id = ${only}::uuid`] : []),
      ...(kind === "appeal" ? [sql`c.appeal`] : kind ? [sql`c.subject_kind = ${kind}`] : []),
      ...(assigned === "me" ? [sql`c.assignee_id = ${me.id}::uuid`] : []),
      ...(assigned === "nobody" ? [sql`c.assignee_id is null`] : []),
      ...(category ? [sql`not r.appeal and r.category = ${category}`] : []),
      ...(openedBefore ? [sql`c.opened_at <= ${openedBefore}`] : []),
      ...(reportRules.list(me)
        ? []
        : [
            sql`c.group_id = any(array(select l.group_id from memberships l
              where l.person_id = ${me.id}::uuid and l.state = 'member' and l.role <> 'member'))`,
          ]),
    ],
    sql` and `,
  );
}

/** Groups whose cases the viewer may list: those with open cases for staff, else those they moderate. */
export async function listCaseGroups(db: Db, viewer: Viewer): Promise<{ id: string; name: string }[]> {
  const me = requireSignedIn(viewer);
  return many(
    db,
    sql<{ id: string; name: string }>`
      select g.id, g.name from groups g ${viewerMembership(me, "g", "m")}
      where g.state <> 'deleted' and ${
        reportRules.list(me)
          ? sql`exists (select from cases c
              where c.group_id = g.id and c.state in ('open', 'in_progress'))`
          : sql`m.person_id = ${me.id} and ${isGroupModerator("m")}`
      }
      order by g.name, g.id ${limit(LIMITS.page.people)}`,
  );
}

/** Whether the report of a case may be listed, by its place `at`. */
export const visibleReports = (me: SignedIn, group: { id: string } | undefined) =>
  group ? sql`at.group_id = ${group.id}` : reportRules.list(me) ? sql`true` : sql`at.led`;

/**
 * Asserts that the viewer may list cases.
 * @throws `not-found` for people who moderate nothing; within a group `not-allowed`
 */
export async function assertCanListCases(
  db: Db,
  viewer: Viewer,
  group: GroupFacts | undefined,
): Promise<void> {
  if (group) {
    if (!reportRules.listIn(viewer, group))
      throw new Refusal("not-allowed", "Only moderators of the group can see its reports.");
  } else if (!reportRules.list(viewer) && !(await moderatesAnyGroup(db, viewer))) throw notFound();
}

const moderatesAnyGroup = async (db: Db, viewer: Viewer) =>
  viewer.id !== null &&
  (
    await one(
      db,
      sql<{ leads: boolean }>`select exists (
        select from groups g ${viewerMembership(viewer, "g", "m")}
          where m.person_id = ${viewer.id} and g.state <> 'deleted' and ${isGroupModerator("m")}) as leads`,
    )
  ).leads;
