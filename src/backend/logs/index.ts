export { getLogBatch, storeClientLines, listenToLogs, openLogs, purgeLogs, logLine } from "./keeping.ts";
export type { LogBatch, LogKind, Logs, StoredLogLine } from "./keeping.ts";
export { parseThresholds, LEVELS } from "./levels.ts";
export type { Level } from "./levels.ts";
export { LogLines, MAX_LINES } from "./lines.ts";
export { listLoggers, listLogLines } from "./reading.ts";
export type { LogLineRow } from "./reading.ts";
