import type { FastifyInstance } from "fastify";
import { LogLines, takeLines } from "#backend/logs";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import { Refusal } from "#platform/refusal";

/** Batches of lines per minute from one address. */
const LINES = { points: 60, seconds: 60 };

/** The REST door's own-origin form (`/api/…`): logging, which the pages of this house use as any program would. */
export function serveRest(server: FastifyInstance, { log, limits }: { log: Log; limits: Limits }) {
  server.put("/api/log", async (request, reply) => {
    await limits.take("log-lines", LINES, request.ip);
    const read = LogLines.safeParse(request.body);
    if (!read.success) throw new Refusal("invalid", "Log lines are a list of {logger, log-level, message, timestamp}.");
    takeLines(log, read.data);
    return reply.code(200).send({});
  });
}
