export { groupLog } from "./log.ts";
export type { LoggedAct } from "./log.ts";
export { NewPostReport, NewReport, Resolution } from "./forms.ts";
export { reportMessages, reportPost } from "./reporting.ts";
export { forgetReports } from "./forgetting.ts";
export { ownReports, reportsFor, reportsWaitingIn } from "./reports.ts";
export type { OwnReport, ReportedPlace, ReportRow } from "./reports.ts";
export { lookAtReport, resolveReport } from "./judging.ts";
export type { Report } from "./judging.ts";
