export {
  beginUpload,
  deleteUpload,
  finishUpload,
  listFreeUploads,
  cancelUpload,
  getIncomingUpload,
  requireUploader,
  getMaxBytes,
  NewUpload,
  fileTooLargeRefusal,
} from "./incoming.ts";
export type { FreeUpload } from "./incoming.ts";
export { getOwnUpload, storeUpload } from "./incoming.ts";
export { deleteUnusedBytes, purgeAbandonedUploads } from "./forgetting.ts";
export { FILE_EXTENSIONS } from "./kinds.ts";
export { extractFileText, enqueueTextExtraction } from "./reading.ts";
export { enqueuePendingScans, scanFile } from "./scanning.ts";
