import { type GroupFacts, type GroupRole, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Categories that every site has. Sites can rename them and add others. */
export const REPORT_CATEGORIES = [
  "spam",
  "harassment",
  "illegal",
  "self-harm",
  "off-topic",
  "other",
] as const;
/** Category of reports without one, such as those of API clients. It cannot be turned off. */
export const OTHER_CATEGORY = "other";
/** Category whose reports can name a law. */
export const ILLEGAL_CATEGORY = "illegal";

/** Facts of a report in relation to the viewer. */
export type ReportFacts = {
  /** The viewer reported the same content, or wrote a reported text. */
  concernsViewer: boolean;
  resolved: boolean;
  /** Current group of the reported post; null for messages, and for site-wide or deleted content. */
  group: GroupFacts | null;
};

const UNDOABLE_ACTIONS = ["removed", "warned", "returned", "slowed", "locked", "banned"];

/** Whether the moderator can undo a decision with this action, so that the case is open again. */
export const isUndoable = (action: string): boolean => UNDOABLE_ACTIONS.includes(action);

/** Facts of a decision about reports. */
export type DecisionFacts = {
  appeal: boolean;
  action: string | null;
  resolvedBy: { id: string } | null;
};

/** A person with an undecided report of a post. */
type ReporterFacts = Pick<Viewer, "trust" | "limited">;

const reportWeight = ({ trust, limited }: ReporterFacts) => (limited ? 0 : trust === "new" ? 1 : 2);

/** Permissions of reports. Staff and moderators of the group can read them, except people involved. */
export const reportRules = {
  /** Whether the viewer may read all reports. */
  list: (viewer: Viewer) => isSignedIn(viewer) && isStaff(viewer),
  /** Whether the viewer may read reports in a group. */
  listIn: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && groupRules.read(viewer, group) && groupRules.approveMembers(viewer, group),
  read: (viewer: Viewer, it: ReportFacts) =>
    !it.concernsViewer &&
    (reportRules.list(viewer) || (it.group !== null && reportRules.listIn(viewer, it.group))),
  /** Whether the reports have enough weight to hide a post or resource. Those of moderators are never hidden. */
  hides: (reporting: ReporterFacts[], author: { leads: boolean }) =>
    !author.leads && reporting.reduce((sum, who) => sum + reportWeight(who), 0) >= LIMITS.reports.hides,
  resolve: (viewer: Viewer, it: ReportFacts) => reportRules.read(viewer, it) && !it.resolved,
  /**
   * Whether the viewer may remove the reported post: staff anywhere, moderators unless the group is
   * archived.
   */
  takeDown: (viewer: Viewer, it: ReportFacts) =>
    reportRules.resolve(viewer, it) &&
    (reportRules.list(viewer) || (it.group !== null && groupRules.moderate(viewer, it.group))),
  /** Whether the viewer may lock or slow down the reported discussion, as its moderator. */
  moderatePlace: (viewer: Viewer, it: ReportFacts) =>
    reportRules.resolve(viewer, it) && it.group !== null && groupRules.moderate(viewer, it.group),
  /** Whether the viewer may ban the author of the reported content from the group. */
  ban: (viewer: Viewer, it: ReportFacts, author: { id: string; role: GroupRole | null }) =>
    reportRules.moderatePlace(viewer, it) && it.group !== null && groupRules.remove(viewer, it.group, author),
  /** Whether the viewer may undo their own decision on reports. */
  undo: (viewer: Viewer, it: ReportFacts & DecisionFacts) =>
    reportRules.read(viewer, it) &&
    it.resolved &&
    !it.appeal &&
    it.action !== null &&
    isUndoable(it.action) &&
    it.resolvedBy?.id === viewer.id,
  /** Whether the viewer may change the categories of reports. */
  editCategories: (viewer: Viewer) => viewer.role === "admin" && !viewer.limited,
  /** Whether the viewer may archive the reported group. */
  archive: (viewer: Viewer, it: ReportFacts) => reportRules.resolve(viewer, it) && reportRules.list(viewer),
};
