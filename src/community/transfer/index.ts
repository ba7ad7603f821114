export { hasNoPeople, seedDemo } from "./seed.ts";
export { resetCommunity } from "./empty-place.ts";
export type { SeedOptions } from "./seed.ts";
export { requireImporter, runImport, continueImport } from "./bring-in.ts";
export type { ImportContext, ImportRequest } from "./bring-in.ts";
export { undoImport } from "./take-back.ts";
export { FORMATS } from "./adapters/index.ts";
export type { Format } from "./adapters/index.ts";
export type { ImportRun } from "./loading/runs.ts";
export { findAdmin, describeCounts, createImportReport } from "./report.ts";
export { claimImportedAccount } from "./ghosts.ts";
export { resolveOldPath } from "./old-addresses.ts";
export type { MovedTarget } from "./old-addresses.ts";
export { exportCommunity } from "./leaving/leave.ts";
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
} from "./on-page.ts";
export { listImportSources } from "./sources.ts";
export type { ImportSource } from "./sources.ts";
export { makePersonalExport } from "./personal/make-export.ts";
export { writeGroupLines, makeGroupExport } from "./of-group/make-group-export.ts";
