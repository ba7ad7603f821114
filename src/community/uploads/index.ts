export {
  beginFile,
  dropFile,
  finishFile,
  freeFiles,
  giveUpFile,
  incomingFor,
  mayUpload,
  mostBytes,
  NewIncoming,
  tooLarge,
} from "./incoming.ts";
export type { FreeFile } from "./incoming.ts";
export { ownUpload, takeFile } from "./incoming.ts";
export { forgetBytes, purgeIncoming } from "./forgetting.ts";
export { FILE_ENDINGS } from "./kinds.ts";
export { readStored, readUnread } from "./reading.ts";
export { scanAgain, scanFile } from "./scanning.ts";
