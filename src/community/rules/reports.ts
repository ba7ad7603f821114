import { type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Facts of a report for the viewer. */
export type ReportFacts = {
  /** The viewer reported it or the same content, or wrote something shown in it. */
  concernsViewer: boolean;
  resolved: boolean;
  /** Current group of the reported post; null for messages, site-wide or deleted content. */
  group: GroupFacts | null;
};

/** A reporter whose report of a post is open. */
type ReporterFacts = Pick<Viewer, "trust" | "limited">;

const reportWeight = ({ trust, limited }: ReporterFacts) => (limited ? 0 : trust === "new" ? 1 : 2);

/** Reports are read by staff and moderators of the group, but by no one involved. */
export const reportRules = {
  /** All reports. */
  list: (viewer: Viewer) => isSignedIn(viewer) && isStaff(viewer),
  /** Reports in a group. */
  listIn: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && groupRules.read(viewer, group) && groupRules.approveMembers(viewer, group),
  read: (viewer: Viewer, it: ReportFacts) =>
    !it.concernsViewer &&
    (reportRules.list(viewer) || (it.group !== null && reportRules.listIn(viewer, it.group))),
  /** Whether the reports weigh enough to hide a post; posts of moderators are never hidden. */
  hides: (reporting: ReporterFacts[], author: { leads: boolean }) =>
    !author.leads && reporting.reduce((sum, who) => sum + reportWeight(who), 0) >= LIMITS.reports.hides,
  resolve: (viewer: Viewer, it: ReportFacts) => reportRules.read(viewer, it) && !it.resolved,
  /** Remove the reported post: staff anywhere; moderators not in an archived group. */
  takeDown: (viewer: Viewer, it: ReportFacts) =>
    reportRules.resolve(viewer, it) &&
    (reportRules.list(viewer) || (it.group !== null && groupRules.moderate(viewer, it.group))),
  /** Archive the reported group. */
  archive: (viewer: Viewer, it: ReportFacts) => reportRules.resolve(viewer, it) && reportRules.list(viewer),
};
