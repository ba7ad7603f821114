import { keepLines, keptIn, LogLines, MOST_LINES } from "#backend/logs";
import { networkOf } from "#platform/client-address";
import { Refusal } from "#platform/refusal";
import type { Call, Route } from "./route.ts";

/** Per minute and session, or address without one: batches, and their lines; and lines of all callers. */
const BATCHES = { points: 60, seconds: 60 };
const LINES = { points: 5_000, seconds: 60 };
const LINES_OF_ALL = { points: 30_000, seconds: 60 };
/** Maximum bytes of a batch; clients send bursts whole. */
const LARGEST = 5_000_000;

/** Client logging, which our own pages use like any app. */
export const loggingRoutes: Route[] = [
  {
    method: "PUT",
    path: "/log",
    open: true,
    uncounted: true,
    most: LARGEST,
    async handle(call) {
      const { house, body } = call;
      const lines = linesIn(body);
      await countLines(call, lines.length);
      const { logLevel, logLevels } = await house.settings.get();
      await keepLines(house.logs, lines, keptIn(logLevel, logLevels));
      return {};
    },
  },
];

function linesIn(body: unknown) {
  if (Array.isArray(body) && body.length > MOST_LINES) throw new Refusal("too-large", `${MOST_LINES} lines can come at once.`);
  const read = LogLines.safeParse(body);
  if (!read.success) throw new Refusal("invalid", "Log lines are a list of {logger, log-level, message, timestamp}.");
  return read.data;
}

async function countLines({ house, caller, request }: Call, lines: number) {
  if (caller.key === "server") return;
  const who = caller.session?.id ?? networkOf(request.ip);
  await house.limits.take("log-batches", BATCHES, who);
  await house.limits.take("log-lines", LINES, who, lines);
  await house.limits.take("log-lines-of-all", LINES_OF_ALL, "all", lines);
}
