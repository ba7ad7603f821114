import { type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** A report, as far as the viewer has to do with it. */
export type ReportFacts = {
  /** The viewer made it, or another about the same, or wrote something that it shows. */
  concernsViewer: boolean;
  resolved: boolean;
  /** The group in which a reported post stands by now; null for messages, for what is in none, and for what is gone. */
  group: GroupFacts | null;
};

/** What somebody reported is read by staff, and by those who look after the group that it stands in; by nobody who is part of it. */
export const reportRules = {
  /** Everything that was reported. */
  list: (who: Viewer) => isSignedIn(who) && isStaff(who),
  /** What was reported in a group. */
  listIn: (who: Viewer, group: GroupFacts) => isSignedIn(who) && groupRules.read(who, group) && groupRules.admit(who, group),
  read: (who: Viewer, it: ReportFacts) =>
    !it.concernsViewer && (reportRules.list(who) || (it.group !== null && reportRules.listIn(who, it.group))),
  resolve: (who: Viewer, it: ReportFacts) => reportRules.read(who, it) && !it.resolved,
  /** Take the post away that it is about. Staff may, wherever it stands; in a group that is archived those who look after it do not. */
  takeDown: (who: Viewer, it: ReportFacts) =>
    reportRules.resolve(who, it) && (reportRules.list(who) || (it.group !== null && groupRules.moderate(who, it.group))),
};
