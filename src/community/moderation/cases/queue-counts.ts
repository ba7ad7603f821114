import { type Db, limit, one, sql } from "#platform/database";
import { countPendingPosts } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { type GroupFacts, reportRules, type SignedIn, type Viewer } from "#community/rules";
import { concernsViewerCondition, joinReportPlaces } from "../list-reports.ts";
import { assertCanListCases, caseFilters, joinLatestReport, visibleReports } from "./list-cases.ts";

type Group = GroupFacts & { id: string };
/** Open cases, and entries that await approval, that the viewer may decide; 100 at most each. */
export type QueueCounts = { open: number; pending: number };

/**
 * Counts of the queue's tabs, as `listCases` and `listPendingPosts` list them.
 * @throws like `listCases`
 */
export async function getQueueCounts(db: Db, viewer: Viewer): Promise<QueueCounts> {
  await assertCanListCases(db, viewer, undefined);
  const [open, pending] = await Promise.all([
    countCases(db, requireSignedIn(viewer)),
    countPendingPosts(db, viewer),
  ]);
  return { open, pending };
}

/** Counts of a group's tabs; 0 for entries that the viewer may not decide. */
export async function getGroupQueueCounts(db: Db, viewer: Viewer, group: Group): Promise<QueueCounts> {
  const [open, pending] = await Promise.all([
    countOpenCases(db, viewer, group),
    countPendingPosts(db, viewer, group),
  ]);
  return { open, pending };
}

/**
 * Number of open cases that the viewer may decide, on the site or in a group, 100 at most; 0 for people who
 * may not decide about them.
 */
export async function countOpenCases(db: Db, viewer: Viewer, group?: Group): Promise<number> {
  if (!(group ? reportRules.listIn(viewer, group) : reportRules.list(viewer))) return 0;
  return countCases(db, requireSignedIn(viewer), group);
}

/** The order lets the index of open cases be read: without it, closed cases would be read as well. */
async function countCases(db: Db, me: SignedIn, group?: Group): Promise<number> {
  const { open } = await one(
    db,
    sql<{ open: number }>`
      select count(*)::int as open from (
        select from cases c ${joinLatestReport} ${joinReportPlaces(me)}
        where ${caseFilters(me, { tab: "open", group })} and ${visibleReports(me, group)}
          and not ${concernsViewerCondition(me)}
        order by c.opened_at, c.id ${limit(100)}) few`,
  );
  return open;
}
