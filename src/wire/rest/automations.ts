import { activateFlow, activateTrigger, runFor, type Starter } from "#backend/flows";
import { z } from "zod";
import { parsed } from "./parse.ts";
import type { Call, Route } from "./route.ts";

const Data = z.record(z.string(), z.unknown(), "is an object").nullish();
const ByName = z.object({ name: z.string("is a text").min(1, "is a text").max(200, "has 200 characters at the most"), initialData: Data });
const TriggerByName = z.object({
  flowName: z.string("is given once").min(1, "is given once").max(200, "has 200 characters at the most"),
  triggerName: z.string("is given once").min(1, "is given once").max(200, "has 200 characters at the most"),
});
const Execution = z
  .string("is any, all or the id of an execution, given once")
  .min(1, "is any, all or the id of an execution")
  .max(100)
  .optional();

/** The caller, as automations need it. */
const starterIn = ({ caller: { viewer, roles, key } }: Pick<Call, "caller">): Starter => ({
  personId: viewer.id,
  roles,
  server: key === "server",
  trusted: key === "server" || viewer.role === "admin",
});

/** The data passed to the automation; an empty object by default. */
const dataIn = ({ body }: Call) => parsed(z.object({ data: Data }), { data: body }).data ?? {};

const told = (executionIds: string[]) => ({ executionId: executionIds[0] ?? null, executionIds });

/**
 * Endpoints that start and resume automations. An answer names the runs; their results appear in their
 * contexts.
 */
export const automationRoutes: Route[] = [
  {
    method: "POST",
    path: "/automation/flow/activate-by-name",
    async handle(call) {
      const { name, initialData } = parsed(ByName, call.body ?? {});
      return { executionId: await activateFlow(call.house.flows, starterIn(call), { name }, initialData ?? {}) };
    },
  },
  {
    method: "POST",
    path: "/automation/flow/trigger/activate-by-name",
    async handle(call) {
      const { flowName, triggerName } = parsed(TriggerByName, call.query);
      const asked = { flow: { name: flowName }, trigger: { name: triggerName }, data: dataIn(call) };
      return told(await activateTrigger(call.house.flows, starterIn(call), asked));
    },
  },
  {
    method: "POST",
    path: "/automation/flow/:flow/activate",
    async handle(call) {
      const { flow = "" } = call.params;
      return { executionId: await activateFlow(call.house.flows, starterIn(call), { id: flow }, dataIn(call)) };
    },
  },
  {
    method: "POST",
    path: "/automation/flow/:flow/trigger/:trigger/activate",
    async handle(call) {
      const { flow = "", trigger = "" } = call.params;
      const { execution } = parsed(z.object({ execution: Execution }), call.query);
      const asked = { flow: { id: flow }, trigger: { id: trigger }, data: dataIn(call), ...(execution !== undefined && { execution }) };
      return told(await activateTrigger(call.house.flows, starterIn(call), asked));
    },
  },
  {
    method: "GET",
    path: "/automation/flow/execution-context/:execution",
    async handle(call) {
      const run = await runFor(call.house.flows, starterIn(call), call.params["execution"] ?? "");
      return {
        executionId: run.id,
        flowId: run.flowId,
        flowName: run.flowName,
        status: run.state,
        waitingFor: run.waitingFor,
        startedAt: run.createdAt.getTime(),
        endedAt: run.endedAt?.getTime() ?? null,
        error: run.fault,
        context: run.context,
      };
    },
  },
];
