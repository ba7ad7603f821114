export { listGroupLog } from "./log.ts";
export type { LogEntry } from "./log.ts";
export { listAccountHistory, listSiteLog } from "./site-log.ts";
export type { LogPart, SiteLogEntry } from "./site-log.ts";
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
export { appealRemoval, appealResourceRemoval, getRemoval, getResourceRemoval } from "./appealing.ts";
export { appealSanction, getSanctionAppeal } from "./appealing-sanctions.ts";
export type { OwnAppeal, OwnRemoval } from "./appealing.ts";
export { reportMessages, reportPost } from "./reporting.ts";
export { reportGroup, reportPerson, reportResource } from "./reporting-more.ts";
export { purgeSanctionAppeals, purgeInspections, purgeReports } from "./forgetting.ts";
export { listOwnReports, listReportsAbout, listReports, countPendingReports } from "./reports.ts";
export type { OwnReport, ReportedPlace, ReportRow } from "./reports.ts";
export { endInspection, inspectGroup, getInspection } from "./inspecting.ts";
export { inspectDiscussion, listInspectedDiscussions } from "./inspected.ts";
export type { InspectedDiscussion, InspectedPost } from "./inspected.ts";
export { getTransparencyReport } from "./transparency.ts";
export type { ReportedCount, TransparencyMonth } from "./transparency.ts";
export { viewReport, resolveReport } from "./judging.ts";
export type { Report } from "./judging.ts";
