import { type Level, said } from "#backend/logs";
import type { Flows } from "./flows.ts";

type Line = { flow: string; runId: string; level: Level; sentence: string };

/** A line about a run, for whoever looks after flows: never what it holds. It is not waited for, and what cannot be kept is no one's failure. */
export function say({ logs, log }: Pick<Flows, "logs" | "log">, { flow, runId, level, sentence }: Line): void {
  said(logs, "automation", { logger: `flow ${flow}`, level, message: `${runId}: ${sentence}` }).catch((error: unknown) =>
    log.warn({ err: error, runId }, "a line of a flow could not be kept"),
  );
}
