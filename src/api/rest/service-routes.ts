import type { FastifyRequest } from "fastify";
import { type Method, Services } from "#baas/extensions";
import { COMMUNITY_SERVICES, type CommunityService } from "#community/services";
import { msg } from "#platform/messages";
import { entriesOf } from "#platform/objects";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { countDeferredCall } from "./call-limits.ts";
import { callService, deferCall } from "./extensions/extension-calls.ts";
import { defineEndpoint, parsedByHandler, type Permission } from "./endpoint.ts";
import type { Call, ServiceContext } from "./rest-route.ts";
import { parseQueryInput } from "./services-input.ts";
import { AnyJson, NamedJson } from "./shapes.ts";

/** Execution types. All except `sync` answer null at once and run the call later. */
const ExecutionMode = z.enum(["sync", "async", "async-low-priority"]).default("sync");

function readExecutionMode({ headers }: FastifyRequest): z.output<typeof ExecutionMode> {
  const parsed = ExecutionMode.safeParse(headers["bl-execution-type"]);
  if (!parsed.success)
    throw new Refusal(
      "invalid",
      msg("The execution type must be one of {unwrap}.", {
        unwrap: ExecutionMode.unwrap().options.join(", "),
      }),
    );
  return parsed.data;
}

async function runService({ app, caller, params, query, body, request }: Call) {
  const execution = readExecutionMode(request);
  const { service = "", method = "" } = params;
  const found = app.services.method(service, method);
  // Without a body, a POST has empty input, and other methods take input from the URL.
  const input = body ?? (request.method === "POST" ? {} : parseQueryInput(found, query));
  if (execution !== "sync") {
    // Input for extensions is validated when the call runs, in the extension's thread.
    const what = found.part === undefined ? { service, method } : { part: found.part };
    if (found.part === undefined) await app.services.parseInput(service, method, input);
    await countDeferredCall(app, caller, request);
    return deferCall(app, what, { caller }, input, execution);
  }
  const answer = await callService(app, { service, method, input }, { caller });
  return answer ?? null;
}

/** Runs a service whatever version the client names, since a service has only one. */
async function runVersion(call: Call) {
  const { version = "" } = call.params;
  if (!/^v?\d+(\.\d+)*$/i.test(version))
    throw new Refusal(
      "not-found",
      msg("''{version}'' is not a service version such as 1.0.0.", { version: version.slice(0, 80) }),
    );
  return runService(call);
}

/** The examples call the extension that is included with Kith, whose table is not open to guests. */
const SERVICE_PERMISSION: Permission = {
  name: "callers whom the service or extension admits",
  caller: "member",
  refusal: { status: 400, code: 1011 },
};
const serviceExample = { service: "Guestbook", method: "sign" };
const serviceInput = { words: "Lovely beans." };

const METHODS = {
  POST: "a JSON body as its input",
  GET: "the query string as its input",
  PUT: "the body, or the query string, as its input",
  DELETE: "the body, or the query string, as its input",
} as const;

/**
 * Endpoints for service methods, one per HTTP method. The input of each service method is documented
 * separately.
 */
const serviceEndpoints = entriesOf(METHODS).flatMap(([method, input]) => {
  const example = method === "GET" ? { query: serviceInput } : { body: serviceInput };
  const shared = {
    method,
    permission: SERVICE_PERMISSION,
    forTokens: true,
    query: parsedByHandler(NamedJson),
    ...(method !== "GET" && { body: AnyJson }),
    response: AnyJson,
  };
  return [
    defineEndpoint({
      ...shared,
      path: "/services/:service/:method",
      summary: `Calls a service with ${input}.`,
      example: { params: serviceExample, ...example },
      handle: runService,
    }),
    defineEndpoint({
      ...shared,
      path: "/services/:service/:version/:method",
      summary: `Calls a service with ${input}. Any version number is accepted.`,
      example: { params: { ...serviceExample, version: "1.0.0" }, ...example },
      handle: runVersion,
    }),
  ];
});

/** Endpoints for calls of extensions and community services. */
export const extensionEndpoints = [
  ...serviceEndpoints,
  defineEndpoint({
    method: "POST",
    path: "/servercode/events/:event",
    summary: "Dispatches a custom event, with the body as its input, to its extension; returns the result.",
    permission: SERVICE_PERMISSION,
    body: AnyJson,
    response: AnyJson,
    example: { params: { event: "party" }, body: { most: 3 } },
    async handle({ app, caller, params: { event }, body, request }) {
      const execution = readExecutionMode(request);
      const args = body ?? {};
      if (execution === "sync") return app.extensions.dispatch(event, args, { caller });
      const part = app.extensions.eventPart(event);
      await countDeferredCall(app, caller, request);
      return deferCall(app, { part }, { caller }, args, execution);
    },
  }),
];

/**
 * Converts a community command into a service method. Each call runs as the caller, in a transaction of its
 * own.
 */
const toServiceMethod = ({ entity, name, about, input, run }: CommunityService): Method<ServiceContext> => ({
  service: entity,
  name,
  about,
  input,
  async run({ app, caller: { viewer } }, given) {
    const site = await app.settings.get();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Services` parses with the `input` above
    return app.database.inTransaction((tx) => run({ tx, viewer, site }, given as never));
  },
});

/** Creates the registry of services with the community's services. Extensions add their own later. */
export const createServiceRegistry = (): Services<ServiceContext> =>
  new Services<ServiceContext>().add(...COMMUNITY_SERVICES.map(toServiceMethod));
