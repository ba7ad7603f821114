import { type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** A report, as far as the viewer has to do with it. */
export type ReportFacts = {
  /** The viewer made it, or another about the same, or wrote something that it shows. */
  concernsViewer: boolean;
  resolved: boolean;
  /** The group in which a reported post stands by now; null for messages, for what is in none, and for what is gone. */
  group: GroupFacts | null;
};

/** Somebody whose report of a post waits. */
type Reporting = Pick<Viewer, "trust" | "limited">;

const weight = ({ trust, limited }: Reporting) => (limited ? 0 : trust === "new" ? 1 : 2);

/** What somebody reported is read by staff, and by those who look after the group that it stands in; by nobody who is part of it. */
export const reportRules = {
  /** Everything that was reported. */
  list: (who: Viewer) => isSignedIn(who) && isStaff(who),
  /** What was reported in a group. */
  listIn: (who: Viewer, group: GroupFacts) => isSignedIn(who) && groupRules.read(who, group) && groupRules.admit(who, group),
  read: (who: Viewer, it: ReportFacts) =>
    !it.concernsViewer && (reportRules.list(who) || (it.group !== null && reportRules.listIn(who, it.group))),
  /** Whether so many have reported a post that it is hidden until somebody has looked at it; never what those wrote who look after its place. */
  hides: (reporting: Reporting[], author: { leads: boolean }) =>
    !author.leads && reporting.reduce((sum, who) => sum + weight(who), 0) >= LIMITS.reports.hides,
  resolve: (who: Viewer, it: ReportFacts) => reportRules.read(who, it) && !it.resolved,
  /** Take the post away that it is about. Staff may, wherever it stands; in a group that is archived those who look after it do not. */
  takeDown: (who: Viewer, it: ReportFacts) =>
    reportRules.resolve(who, it) && (reportRules.list(who) || (it.group !== null && groupRules.moderate(who, it.group))),
  /** Archive the group that it is about. */
  archive: (who: Viewer, it: ReportFacts) => reportRules.resolve(who, it) && reportRules.list(who),
};
