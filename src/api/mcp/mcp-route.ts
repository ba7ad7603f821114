import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAccessToken } from "#community/accounts";
import { prepareErrorReply } from "#platform/http";
import { Refusal } from "#platform/refusal";
import {
  type Caller,
  type Callers,
  countCall,
  countUnknownTokenCall,
  rateLimitHeaders,
} from "../rest/index.ts";
import type { McpResponder } from "./mcp-server.ts";
import type { McpContext } from "./tool.ts";

/** Maximum bytes of a request body; a post has at most 32 000 characters. */
const MAX_BODY = 300_000;

/** JSON-RPC error code of a refused request. */
const REFUSED = -32000;
/** JSON-RPC error code of a request that could not be parsed. */
const UNREADABLE = -32700;

/**
 * Serves MCP clients at `/mcp` by Streamable HTTP, without sessions. They authenticate with a personal access
 * token. The SDK is loaded with the first request.
 */
export function serveMcp(server: FastifyInstance, app: McpContext, callers: Callers): void {
  let loading: Promise<McpResponder> | null = null;
  const load = () =>
    (loading ??= import("./mcp-server.ts").then(({ createMcpResponder }) => createMcpResponder(app)));
  void server.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) => sendError(app, error, request, reply));
    scope.post("/mcp", { bodyLimit: MAX_BODY }, async (request, reply) => {
      await assertAdmitted(app, request);
      const caller = await findCaller(app, callers, request);
      const allowance = await countCall(app, caller, request);
      if (allowance) reply.headers(rateLimitHeaders(allowance));
      return answer(await load(), caller, request, reply);
    });
    scope.route({ method: ["GET", "DELETE"], url: "/mcp", handler: refuseMethod });
  });
}

/**
 * Refuses requests that a page of another site makes through the browser of a visitor, who may be in the same
 * private network as this server.
 * @throws `not-found` if the site's setting is off, `not-allowed` for another origin
 */
async function assertAdmitted(app: McpContext, { headers }: FastifyRequest): Promise<void> {
  if (!(await app.settings.get()).mcpServer) throw new Refusal("not-found", "This site has no MCP server.");
  if (headers.origin !== undefined && headers.origin !== app.origin())
    throw new Refusal("not-allowed", "Pages of other sites cannot use this address.");
}

/** @throws `not-signed-in` without a valid personal access token */
async function findCaller(app: McpContext, callers: Callers, request: FastifyRequest): Promise<Caller> {
  const token = readBearer(request);
  const caller = await callers
    .of("client", { headers: { "user-token": token }, ip: request.ip }, { forTokens: true })
    .catch(async (error: unknown) => {
      await countUnknownTokenCall(app, request);
      throw error;
    });
  if (!caller.viewer.scopes) throw tokenNeeded();
  return caller;
}

function readBearer({ headers }: FastifyRequest): string {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  if (!isAccessToken(token)) throw tokenNeeded();
  return token;
}

const tokenNeeded = () =>
  new Refusal("not-signed-in", "Send a personal access token as “Authorization: Bearer kith_pat_…”.");

async function answer(respond: McpResponder, caller: Caller, request: FastifyRequest, reply: FastifyReply) {
  const { body } = request;
  // Batches are refused, because each call in a batch would have to be counted. Clients of current versions
  // send no batches.
  if (Array.isArray(body)) throw new Refusal("invalid", "Send one message per request.");
  const response = await respond({ caller, token: readBearer(request), headers: toHeaders(request), body });
  return reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .send(await response.text());
}

/** Returns only the headers that the protocol defines, because the SDK needs no others. */
function toHeaders({ headers }: FastifyRequest): Headers {
  const known = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-[\w-]+)$/.test(name));
  return new Headers(known.map(([name, value]) => [name, String(value)]));
}

const refuseMethod = async (_request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(405)
    .header("allow", "POST")
    .send({
      jsonrpc: "2.0",
      id: null,
      error: { code: REFUSED, message: "MCP clients send POST requests to this address." },
    });

function sendError(app: McpContext, error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const fault = prepareErrorReply(error, request, reply, app.log);
  const { status } = fault;
  if (status === 401) reply.header("www-authenticate", 'Bearer realm="mcp"');
  return reply.code(status).send({
    jsonrpc: "2.0",
    id: null,
    error: { code: status === 400 ? UNREADABLE : REFUSED, message: fault.message },
  });
}
