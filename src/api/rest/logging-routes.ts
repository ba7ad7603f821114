import { storeClientLines, parseThresholds, LogLines, MAX_LINES } from "#baas/logging";
import { z } from "zod";
import { clientNetwork } from "#platform/client-address";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { defineEndpoint } from "./endpoint.ts";
import type { Call } from "./rest-route.ts";

/** Maximum batches per minute from one session, or from one address without a session. */
const BATCH_LIMIT = { points: 60, seconds: 60 };
/** Maximum log lines per minute from one session, or from one address without a session. */
const LINE_LIMIT = { points: 5_000, seconds: 60 };
/** Maximum log lines per minute from all callers together. */
const TOTAL_LINE_LIMIT = { points: 30_000, seconds: 60 };
/** Maximum bytes of a batch. Clients send everything they have collected at once. */
const MAX_BATCH_BYTES = 5_000_000;

/** Endpoints for client logs. Our own pages use them like any app. */
export const loggingEndpoints = [
  defineEndpoint({
    method: "PUT",
    path: "/log",
    summary: `Stores log lines, at most ${MAX_LINES}.`,
    open: true,
    uncounted: true,
    most: MAX_BATCH_BYTES,
    prepare: async ({ body }) => assertBatchSize(body),
    body: LogLines,
    response: z.object({}),
    example: {
      body: [
        { logger: "garden", "log-level": "INFO", message: "Frost tonight", timestamp: 1_746_345_600_000 },
      ],
    },
    async handle({ app, caller, request, body: lines }) {
      await countLogLines({ app, caller, request }, lines.length);
      const { logLevel, logLevels } = await app.settings.get();
      await storeClientLines(app.logs, lines, parseThresholds(logLevel, logLevels));
      return {};
    },
  }),
];

function assertBatchSize(body: unknown): void {
  if (Array.isArray(body) && body.length > MAX_LINES)
    throw new Refusal("too-large", msg("One call can log at most {count} lines.", { count: MAX_LINES }));
}

async function countLogLines(
  { app, caller, request }: Pick<Call, "app" | "caller" | "request">,
  lines: number,
) {
  if (caller.key === "server") return;
  const who = caller.session?.id ?? clientNetwork(request.ip);
  await app.limits.take("log-batches", BATCH_LIMIT, who);
  await app.limits.take("log-lines", LINE_LIMIT, who, lines);
  await app.limits.take("log-lines-of-all", TOTAL_LINE_LIMIT, "all", lines);
}
