export { groupLog } from "./log.ts";
export type { LoggedAct } from "./log.ts";
export { NewReport, Resolution } from "./forms.ts";
export { reportMessages } from "./reporting.ts";
export { lookAtReport, ownReports, reportsFor, resolveReport } from "./reports.ts";
export type { OwnReport, Report, ReportRow } from "./reports.ts";
