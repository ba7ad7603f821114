import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { admitIncomingMessage, postIncomingMessage } from "#community/webhooks";
import { clientNetwork } from "#platform/client-address";
import type { Database } from "#platform/database";
import { isDeeperThan, prepareErrorReply } from "#platform/http";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import { Refusal } from "#platform/refusal";
import { parsePayload } from "./payload.ts";

/** Maximum bytes of a message. */
const MAX_BODY = 64_000;
/** Maximum depth of the JSON of a message; Slack's blocks are nested six deep. */
const MAX_DEPTH = 20;
/** Maximum requests with an unknown token per minute from one network. */
const UNKNOWN_TOKEN_LIMIT = { points: 20, seconds: 60 };

type HookContext = { database: Database; limits: Limits; log: Log; now: () => Date };

/**
 * Serves incoming webhooks at `/hooks/<token>`. It answers as the clients of the payload's shape expect: `ok`
 * for Slack's and our own, 204 for Discord's. `/hooks/<token>/slack` reads every payload as Slack's.
 */
export function serveIncomingWebhooks(server: FastifyInstance, app: HookContext): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error: FastifyError, request, reply) => sendError(app, error, request, reply));
    for (const url of ["/hooks/:token", "/hooks/:token/slack"]) {
      scope.post<{ Params: { token: string } }>(url, { bodyLimit: MAX_BODY }, async (request, reply) => {
        const target = await admit(app, request.params.token, request);
        const { shape, message } = parsePayload(readJson(request), url.endsWith("/slack"));
        const { postId } = await postIncomingMessage(app, target, message);
        app.log.info({ webhookId: target.id, postId, shape }, "message of an incoming webhook posted");
        void reply.header("cache-control", "no-store");
        return shape === "discord" ? reply.code(204).send() : reply.type("text/plain").send("ok");
      });
    }
  });
}

async function admit(app: HookContext, token: string, { ip }: FastifyRequest) {
  try {
    return await admitIncomingMessage(app, token);
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found")
      await app.limits.take("incoming-webhook-unknown", UNKNOWN_TOKEN_LIMIT, clientNetwork(ip));
    throw error;
  }
}

/** Reads JSON, also from the field `payload` of a form, as some Slack clients send it. */
function readJson({ headers, body }: FastifyRequest): unknown {
  const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  const text = typeof body === "string" ? body : "";
  const json =
    type === "application/x-www-form-urlencoded" ? (new URLSearchParams(text).get("payload") ?? "") : text;
  const unreadable = () =>
    new Refusal("invalid", "The request has no valid JSON. Send a JSON object with the field “text”.");
  if (isDeeperThan(MAX_DEPTH, json)) throw unreadable();
  try {
    return JSON.parse(json);
  } catch {
    throw unreadable();
  }
}

/** Errors have the message that names the field, and its name. */
function sendError({ log }: HookContext, error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, message } = prepareErrorReply(error, request, reply, log);
  const field = error instanceof Refusal ? Object.keys(error.fields)[0] : undefined;
  return reply
    .code(status)
    .send({ code: status, message: field ? `${field}: ${message}` : message, ...(field && { field }) });
}
