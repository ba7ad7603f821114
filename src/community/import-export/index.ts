export { hasNoPeople, seedDemo } from "./demo/seed-demo.ts";
export { resetCommunity } from "./reset-community.ts";
export type { SeedOptions } from "./demo/seed-demo.ts";
export { requireImporter, runImport, continueImport } from "./run-import.ts";
export type { ImportContext, ImportRequest } from "./run-import.ts";
export { undoImport } from "./undo-import.ts";
export { formatSlackMessage } from "./adapters/slack/slack-message.ts";
export { FORMATS } from "./adapters/index.ts";
export type { Format } from "./adapters/index.ts";
export type { ImportRun } from "./import/import-runs.ts";
export { findAdmin, describeCounts, createImportReport } from "./import-report.ts";
export { claimImportedAccount } from "./claim-imported-account.ts";
export { resolveOldPath } from "./legacy-urls.ts";
export type { MovedTarget } from "./legacy-urls.ts";
export { exportCommunity } from "./export/export-community.ts";
export {
  listServerArchives,
  requestUndo,
  startImport,
  deleteOldArchives,
  resumeImport,
  getImport,
  listImports,
  NewImport,
  UPLOADS_FOLDER,
} from "./import-jobs.ts";
export { listImportSources } from "./import-sources.ts";
export type { ImportSource } from "./import-sources.ts";
export { makePersonalExport } from "./personal-export/make-personal-export.ts";
export { writeGroupLines, makeGroupExport } from "./group-export/make-group-export.ts";
