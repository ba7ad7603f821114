export { groupLog } from "./log.ts";
export type { LoggedAct } from "./log.ts";
export { NewReport, Resolution } from "./forms.ts";
export { reportMessages } from "./reporting.ts";
export { lookAtReport, reportsFor, resolveReport } from "./reports.ts";
export type { Report, ReportRow } from "./reports.ts";
