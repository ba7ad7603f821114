import type { FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "#platform/database";
import { drainBody } from "#platform/http";
import type { Log } from "#platform/log";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import { SearchApiError } from "./search-api-error.ts";

/** HTTP statuses by reason. Some differ from the rest of the app, as the protocol requires. */
const ERROR_STATUS = { ...HTTP_STATUS, invalid: 400, "not-signed-in": 403 };

/** Sends an error in the format that search clients read. */
export function sendErrorResponse(log: Log, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, message, retryAfter } = describeError(error);
  if (status === 500) log.error({ requestId: request.id, err: error }, "a search failed");
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  drainBody(request.raw, reply.raw);
  return reply.code(status).send({ message, status });
}

function describeError(error: Error): { status: number; message: string; retryAfter?: number | undefined } {
  if (error instanceof SearchApiError) return error;
  if (error instanceof Refusal && error.reason === "too-many")
    return { status: 429, message: "Too Many Requests", retryAfter: error.retryAfter };
  if (error instanceof Refusal)
    return { status: ERROR_STATUS[error.reason], message: error.message, retryAfter: error.retryAfter };
  if (isUnavailable(error))
    return { status: 503, message: "The database is not reachable right now", retryAfter: 5 };
  const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
  return status < 500
    ? { status, message: "The request cannot be read" }
    : { status: 500, message: "Internal Server Error" };
}
