import { type Level, said } from "#backend/logs";
import type { Flows } from "./flows.ts";

type Line = { flow: string; runId: string; level: Level; sentence: string };

/** Logs a line about a run for its operator, never its data. It is not awaited, and failures are ignored. */
export function say({ logs, log }: Pick<Flows, "logs" | "log">, { flow, runId, level, sentence }: Line): void {
  said(logs, "automation", { logger: `flow ${flow}`, level, message: `${runId}: ${sentence}` }).catch((error: unknown) =>
    log.warn({ err: error, runId }, "a line of a flow could not be kept"),
  );
}
