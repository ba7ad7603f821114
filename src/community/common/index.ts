export { encodeCursor, toPage, readCursor } from "./paging.ts";
export type { Page } from "./paging.ts";
export { personCard, personColumns } from "./person-card.ts";
export type { PersonCard } from "./person-card.ts";
export { andIfGiven, isAccountUnlisted } from "./sql-conditions.ts";
export { prefixQuery } from "./prefix-query.ts";
export {
  clientId,
  draftVersion,
  id,
  requiredText,
  optionalText,
  toStorableText,
  tags,
  optionalTags,
  usernames,
} from "./input-fields.ts";
export { WHITESPACE, deleteSentDraft } from "./sent-drafts.ts";
export { paths } from "./paths.ts";
export {
  assertPictureLimit,
  findFiles,
  lockFile,
  attachUploads,
  findPictures,
  storePicture,
} from "./text-uploads.ts";
export type { NewPicture } from "./text-uploads.ts";
export { areBytesInUse } from "./file-references.ts";
export { type ReportedPicture, storeReportFiles } from "./report-files.ts";
export { formatBytes, assertQuota, quotaExceededRefusal, getStorageQuota } from "./storage-quota.ts";
export type { StorageQuota } from "./storage-quota.ts";
export { HEADER_STYLES } from "./header-styles.ts";
export { assertTokenScope, closedToTokens } from "./assert-token-scope.ts";
