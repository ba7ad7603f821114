export { batchOf, keepLines, onKept, openLogs, purgeLogs, said } from "./keeping.ts";
export type { Batch, Kind, Logs, Told } from "./keeping.ts";
export { keptIn, LEVELS } from "./levels.ts";
export type { Level } from "./levels.ts";
export { LogLines, MOST_LINES } from "./lines.ts";
export { loggers, readLines } from "./reading.ts";
export type { LogLine } from "./reading.ts";
