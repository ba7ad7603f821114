import { type Level, writeLogLine } from "#baas/logging";
import type { Automations } from "../automations.ts";

type RunLogEntry = { flow: string; runId: string; level: Level; sentence: string };

/**
 * Writes a line about a run to the operator's log, never the run's data. The write is not awaited, and
 * failures are ignored.
 */
export function logRun(
  { logs, log }: Pick<Automations, "logs" | "log">,
  { flow, runId, level, sentence }: RunLogEntry,
): void {
  writeLogLine(logs, "automation", { logger: `flow ${flow}`, level, message: `${runId}: ${sentence}` }).catch(
    (error: unknown) => log.warn({ err: error, runId }, "a log entry of an automation could not be stored"),
  );
}
