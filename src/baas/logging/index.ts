export {
  getLogBatch,
  storeClientLines,
  listenToLogs,
  createLogStore,
  purgeLogs,
  writeLogLine,
} from "./log-storage.ts";
export type { LogBatch, LogKind, Logs, StoredLogLine } from "./log-storage.ts";
export { parseThresholds, LEVELS } from "./log-levels.ts";
export type { Level } from "./log-levels.ts";
export { LogLines, MAX_LINES } from "./log-lines.ts";
export { listLoggers, listLogLines } from "./log-query.ts";
export type { LogLineRow } from "./log-query.ts";
