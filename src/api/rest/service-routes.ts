import type { FastifyRequest } from "fastify";
import { type Method, Services } from "#baas/extensions";
import { COMMUNITY_SERVICES, type CommunityService } from "#community/services";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { countDeferredCall } from "./call-limits.ts";
import { callService, deferCall } from "./extensions/extension-calls.ts";
import type { Call, Route, ServiceContext } from "./rest-route.ts";
import { inputFromQuery } from "./services-input.ts";

/** Execution types; all but `sync` answer null at once and run the call later. */
const ExecutionMode = z.enum(["sync", "async", "async-low-priority"]).default("sync");

function readExecutionMode({ headers }: FastifyRequest): z.output<typeof ExecutionMode> {
  const read = ExecutionMode.safeParse(headers["bl-execution-type"]);
  if (!read.success)
    throw new Refusal(
      "invalid",
      msg("The execution type must be one of {unwrap}.", {
        unwrap: ExecutionMode.unwrap().options.join(", "),
      }),
    );
  return read.data;
}

async function runService({ app, caller, params, query, body, request }: Call) {
  const execution = readExecutionMode(request);
  const { service = "", method = "" } = params;
  const found = app.services.method(service, method);
  // A POST without a body has empty input; other methods may pass it in the URL.
  const input = body ?? (request.method === "POST" ? {} : inputFromQuery(found, query));
  if (execution !== "sync") {
    // Extensions validate their input themselves when the call runs.
    const what = found.part === undefined ? { service, method } : { part: found.part };
    if (found.part === undefined) await app.services.parseInput(service, method, input);
    await countDeferredCall(app, caller, request);
    return deferCall(app, what, { caller }, input, execution);
  }
  const answer = await callService(app, { service, method, input }, { caller });
  return answer ?? null;
}

/** A service has one version, whichever number its client uses. */
async function runVersion(call: Call) {
  const { version = "" } = call.params;
  if (!/^v?\d+(\.\d+)*$/i.test(version))
    throw new Refusal(
      "not-found",
      msg("''{version}'' is not a service version such as 1.0.0.", { version: version.slice(0, 80) }),
    );
  return runService(call);
}

const METHODS = ["POST", "GET", "PUT", "DELETE"] as const;

export const serviceRoutes: readonly Route[] = [
  ...METHODS.map((method) => ({ method, path: "/services/:service/:method", handle: runService })),
  ...METHODS.map((method) => ({ method, path: "/services/:service/:version/:method", handle: runVersion })),
  {
    method: "POST",
    path: "/servercode/events/:event",
    async handle({ app, caller, params, body, request }) {
      const execution = readExecutionMode(request);
      const { event = "" } = params;
      const args = body ?? {};
      if (execution === "sync") return app.extensions.dispatch(event, args, { caller });
      const part = app.extensions.eventPart(event);
      await countDeferredCall(app, caller, request);
      return deferCall(app, { part }, { caller }, args, execution);
    },
  },
];

/** Community commands as service methods, each in a transaction of its own, as the caller. */
const toServiceMethod = ({ noun, name, about, input, run }: CommunityService): Method<ServiceContext> => ({
  service: noun,
  name,
  about,
  input,
  async run({ app, caller: { viewer } }, given) {
    const site = await app.settings.get();
    return app.database.inTransaction((tx) => run({ tx, viewer, site }, given as never));
  },
});

/** The services of an app: the community's, and any added to them. */
export const openServices = (): Services<ServiceContext> =>
  new Services<ServiceContext>().add(...COMMUNITY_SERVICES.map(toServiceMethod));
