import { type Log, openLog } from "#platform/log";

/** A logger at its most verbose level, and everything written to it. */
export function captureLog(): { log: Log; text: () => string } {
  const lines: string[] = [];
  const log = openLog("trace", { write: (line) => void lines.push(line) });
  return { log, text: () => lines.join("") };
}
