export { groupLog } from "./log.ts";
export type { LoggedAct } from "./log.ts";
export { actsOn, siteLog } from "./site-log.ts";
export type { LogPart, SiteAct } from "./site-log.ts";
export {
  NewGroupReport,
  NewInspection,
  NewPersonReport,
  NewPostReport,
  NewRemovalAppeal,
  NewReport,
  NewResourceAppeal,
  NewResourceReport,
  NewSanctionAppeal,
  Resolution,
} from "./forms.ts";
export { appealRemoval, appealResourceRemoval, removalFor, resourceRemovalFor } from "./appealing.ts";
export { appealSanction, sanctionAppealFor } from "./appealing-sanctions.ts";
export type { OwnAppeal, OwnRemoval } from "./appealing.ts";
export { reportMessages, reportPost } from "./reporting.ts";
export { reportGroup, reportPerson, reportResource } from "./reporting-more.ts";
export { forgetAppeals, forgetInspections, forgetReports } from "./forgetting.ts";
export { ownReports, reportsAbout, reportsFor, reportsWaitingIn } from "./reports.ts";
export type { OwnReport, ReportedPlace, ReportRow } from "./reports.ts";
export { endInspection, inspectGroup, inspectionOf } from "./inspecting.ts";
export { inspectDiscussion, inspectedDiscussions } from "./inspected.ts";
export type { InspectedDiscussion, InspectedPost } from "./inspected.ts";
export { transparencyOf } from "./transparency.ts";
export type { Count, Month } from "./transparency.ts";
export { lookAtReport, resolveReport } from "./judging.ts";
export type { Report } from "./judging.ts";
