import { type Log, createLog } from "#platform/log";

/** Returns a logger at its most verbose level, and all text written to it. */
export function captureLog(): { log: Log; text: () => string } {
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  return { log, text: () => lines.join("") };
}
