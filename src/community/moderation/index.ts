export { listGroupLog } from "./group-log.ts";
export type { GroupLogEntry } from "./group-log.ts";
export { listAccountHistory, iterateSiteLog, listSiteLog } from "./site-log.ts";
export type { LogPart, SiteLogEntry } from "./site-log.ts";
export {
  CaseInput,
  DecisionUndo,
  Duplicate,
  Handover,
  NewCaseNote,
  NewGroupReport,
  NewInspection,
  NewPersonReport,
  NewPostReport,
  NewPostReports,
  NewRemovalAppeal,
  NewReport,
  NewResourceAppeal,
  NewResourceReport,
  NewSanctionAppeal,
  reportDetails,
  ReportResolution,
  Resolution,
  SpamRemoval,
} from "./report-forms.ts";
export { appealRemoval, appealResourceRemoval, getRemoval, getResourceRemoval } from "./removal-appeals.ts";
export { appealSanction, getSanctionAppeal } from "./sanction-appeals.ts";
export type { OwnAppeal, OwnRemoval } from "./removal-appeals.ts";
export { reportMessages, reportPost } from "./report-content.ts";
export {
  GUEST_REPORT_KINDS,
  type GuestReportKind,
  NewGuestReport,
} from "./guest-reports/guest-report-inputs.ts";
export {
  GUEST_REPORT_PATH,
  type GuestReportContext,
  purgeUnconfirmedGuestReports,
  submitGuestReport,
} from "./guest-reports/submit-guest-report.ts";
export { confirmGuestReport } from "./guest-reports/confirm-guest-report.ts";
export {
  getGuestReport,
  type GuestReportStatus,
  mailGuestDecision,
  revealGuestAddress,
} from "./guest-reports/guest-report-status.ts";
export { reportGroup, reportPerson, reportResource } from "./report-people-and-groups.ts";
export {
  purgeSanctionAppeals,
  purgeInspections,
  purgeReports,
  purgeUndoStates,
} from "./moderation-retention.ts";
export { listOwnReports, listReportsAbout } from "./list-reports.ts";
export type { GuestReporter, OwnReport, ReportedPlace, ReportRow } from "./list-reports.ts";
export { findReportGroup, getReportSummary } from "./report-summary.ts";
export { endInspection, inspectGroup, getInspection } from "./group-inspections.ts";
export { inspectDiscussion, listInspectedDiscussions } from "./inspected-discussions.ts";
export type { InspectedDiscussion, InspectedPost } from "./inspected-discussions.ts";
export { assertNotTooWide, tryWatchedWord } from "./watched-word-trial.ts";
export type { WatchedWordTrial } from "./watched-word-trial.ts";
export { iterateDecisions } from "./decisions.ts";
export type { Decision } from "./decisions.ts";
export { getCategoryStatistics, getTransparencyReport } from "./transparency-report.ts";
export type { CategoryStatistics, PublishedCount, TransparencyMonth } from "./transparency-report.ts";
export {
  addReportCategory,
  CategoryId,
  CategoryName,
  moveReportCategory,
  NewCategory,
  renameReportCategory,
  setReportCategoryOff,
} from "./report-categories.ts";
export type { ReportCategory } from "./report-categories.ts";
export { CASE_KINDS, CASE_SORTS, listCaseGroups, listCases } from "./cases/list-cases.ts";
export { countOpenCases, getGroupQueueCounts, getQueueCounts } from "./cases/queue-counts.ts";
export type { QueueCounts } from "./cases/queue-counts.ts";
export { getResponseTimes, listResponseTimes } from "./cases/response-times.ts";
export type { GroupResponseTimes, ResponseTimes } from "./cases/response-times.ts";
export type { CaseAction, CaseKind, CaseQuery, CaseRow } from "./cases/list-cases.ts";
export type { EvidenceFile } from "./cases/evidence-files.ts";
export { getEvidenceFile } from "./cases/get-evidence-file.ts";
export { viewCase } from "./cases/view-case.ts";
export type { CaseDetails, CaseEntry } from "./cases/view-case.ts";
export { listFurtherReportable, reportPosts } from "./report-several-posts.ts";
export type { CaseRisk } from "./cases/case-risk.ts";
export type { Case } from "./cases/find-case.ts";
export { resolveCase } from "./cases/resolve-case.ts";
export { removeSpam } from "./cases/remove-spam.ts";
export { undoDecision, undoDecisions } from "./cases/undo-decision.ts";
export { claimCase, handOverCase, releaseCase } from "./cases/case-assignment.ts";
export { markDuplicate } from "./cases/case-duplicates.ts";
export {
  addPersonNote,
  deletePersonNote,
  listPersonNotes,
  NewPersonNote,
  PersonNoteInput,
} from "./person-notes/person-notes.ts";
export type { PersonNote } from "./person-notes/person-notes.ts";
export { approvePending } from "./approve-pending.ts";
export {
  addSiteRule,
  deleteSiteRule,
  editSiteRule,
  moveSiteRule,
  NewSiteRule,
  retireSiteRule,
  SiteRuleId,
  SiteRuleText,
} from "./site-rules.ts";
export type { SiteRule } from "./site-rules.ts";
export { addCaseNote } from "./cases/case-notes.ts";
