export {
  beginUpload,
  deleteUpload,
  finishUpload,
  listUnusedUploads,
  cancelUpload,
  getIncomingUpload,
  requireUploader,
  getMaxBytes,
  NewUpload,
  fileTooLargeRefusal,
} from "./incoming-uploads.ts";
export type { UnusedUpload } from "./incoming-uploads.ts";
export { getOwnUpload, storeUpload } from "./incoming-uploads.ts";
export { deleteUnusedBytes, purgeAbandonedUploads, purgeReportFiles } from "./upload-cleanup.ts";
export { FILE_EXTENSIONS } from "./file-kinds.ts";
export { extractFileText, enqueueTextExtraction } from "./file-texts.ts";
export { enqueuePendingScans, scanFile } from "./virus-scans.ts";
