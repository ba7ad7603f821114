import { storeClientLines, parseThresholds, LogLines, MAX_LINES } from "#baas/logging";
import { clientNetwork } from "#platform/client-address";
import { Refusal } from "#platform/refusal";
import type { Call, Route } from "./rest-route.ts";

/** Per minute and session, or address without one: batches, and their lines; and lines of all callers. */
const BATCH_LIMIT = { points: 60, seconds: 60 };
const LINE_LIMIT = { points: 5_000, seconds: 60 };
const TOTAL_LINE_LIMIT = { points: 30_000, seconds: 60 };
/** Maximum bytes of a batch; clients send bursts whole. */
const MAX_BATCH_BYTES = 5_000_000;

/** Client logging, which our own pages use like any app. */
export const loggingRoutes: Route[] = [
  {
    method: "PUT",
    path: "/log",
    open: true,
    uncounted: true,
    most: MAX_BATCH_BYTES,
    async handle(call) {
      const { app, body } = call;
      const lines = readLines(body);
      await countLogLines(call, lines.length);
      const { logLevel, logLevels } = await app.settings.get();
      await storeClientLines(app.logs, lines, parseThresholds(logLevel, logLevels));
      return {};
    },
  },
];

function readLines(body: unknown) {
  if (Array.isArray(body) && body.length > MAX_LINES)
    throw new Refusal("too-large", `One call can log at most ${MAX_LINES} lines.`);
  const read = LogLines.safeParse(body);
  if (!read.success)
    throw new Refusal("invalid", "Log lines must be a list of {logger, log-level, message, timestamp}.");
  return read.data;
}

async function countLogLines({ app, caller, request }: Call, lines: number) {
  if (caller.key === "server") return;
  const who = caller.session?.id ?? clientNetwork(request.ip);
  await app.limits.take("log-batches", BATCH_LIMIT, who);
  await app.limits.take("log-lines", LINE_LIMIT, who, lines);
  await app.limits.take("log-lines-of-all", TOTAL_LINE_LIMIT, "all", lines);
}
