import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** A report, as far as the viewer has to do with it. */
export type ReportFacts = {
  /** The viewer made it, or wrote something that it shows. */
  concernsViewer: boolean;
  resolved: boolean;
};

/** What somebody reported is read by staff, and by nobody who is part of it. */
export const reportRules = {
  list: (who: Viewer) => isSignedIn(who) && isStaff(who),
  read: (who: Viewer, it: ReportFacts) => reportRules.list(who) && !it.concernsViewer,
  resolve: (who: Viewer, it: ReportFacts) => reportRules.read(who, it) && !it.resolved,
};
