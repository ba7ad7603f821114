import type { FastifyRequest } from "fastify";
import { type Method, Services } from "#backend/extensions";
import { COMMUNITY_SERVICES, type CommunityService } from "#community/services";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { callService, defer } from "./extensions.ts";
import type { Route, ServiceContext } from "./route.ts";

/**
 * How a client may want it done. A verb of the community is one transaction: it is done before the answer, however it was asked for. An
 * extension can be called without being waited for; the answer is null then.
 */
const Execution = z.enum(["sync", "async", "async-low-priority"]).default("sync");

function executionOf({ headers }: FastifyRequest): z.output<typeof Execution> {
  const read = Execution.safeParse(headers["bl-execution-type"]);
  if (!read.success) throw new Refusal("invalid", `A service is executed as one of ${Execution.unwrap().options.join(", ")}.`);
  return read.data;
}

export const serviceRoutes: Route[] = [
  {
    method: "POST",
    path: "/services/:service/:method",
    async handle({ house, caller, params, body, request }) {
      const execution = executionOf(request);
      const { service = "", method = "" } = params;
      const { part } = house.services.method(service, method);
      // Nothing sent is nothing said.
      const input = body ?? {};
      if (execution !== "sync" && part !== undefined) return defer(house, part, { caller }, input, execution);
      const answer = await callService(house, { service, method, input }, { caller });
      return answer ?? null;
    },
  },
  {
    method: "POST",
    path: "/servercode/events/:event",
    async handle({ house, caller, params, body, request }) {
      const execution = executionOf(request);
      const { event = "" } = params;
      const args = body ?? {};
      if (execution === "sync") return house.extensions.dispatch(event, args, { caller });
      return defer(house, house.extensions.eventPart(event), { caller }, args, execution);
    },
  },
];

/** The verbs of the community as methods: each in a transaction of its own, as whoever calls. */
const asMethod = ({ noun, name, about, input, run }: CommunityService): Method<ServiceContext> => ({
  service: noun,
  name,
  about,
  input,
  async run({ house, caller: { viewer } }, given) {
    const site = await house.settings.get();
    return house.database.inTransaction((tx) => run({ tx, viewer, site }, given as never));
  },
});

/** The services of a house: those of its community, and whatever is added to them. */
export const openServices = (): Services<ServiceContext> => new Services<ServiceContext>().add(...COMMUNITY_SERVICES.map(asMethod));
