import { activateAutomation, activateTrigger, getRunAsStarter, type RunStarter } from "#baas/automations";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";

const AutomationData = z.record(z.string(), z.unknown(), "must be an object").nullish();
const AutomationByName = z.object({
  name: z.string("must be a string").min(1, "must be a string").max(200, "can have at most 200 characters"),
  initialData: AutomationData,
});
const TriggerByName = z.object({
  flowName: z
    .string("must be given once")
    .min(1, "must be given once")
    .max(200, "can have at most 200 characters"),
  triggerName: z
    .string("must be given once")
    .min(1, "must be given once")
    .max(200, "can have at most 200 characters"),
});
const ExecutionChoice = z
  .string("must be any, all or the id of an execution, given once")
  .min(1, "must be any, all or the id of an execution")
  .max(100)
  .optional();

/** The caller, as automations need it. */
const starterOf = ({ caller: { viewer, roles, key } }: Pick<Call, "caller">): RunStarter => ({
  personId: viewer.id,
  roles,
  server: key === "server",
  trusted: key === "server" || viewer.role === "admin",
});

/** The data passed to the automation; an empty object by default. */
const readData = ({ body }: Call) =>
  parseInput(z.object({ data: AutomationData }), { data: body }).data ?? {};

const formatExecutions = (executionIds: string[]) => ({ executionId: executionIds[0] ?? null, executionIds });

/**
 * Endpoints that start and resume automations. An answer names the runs; their results appear in their
 * contexts.
 */
export const automationRoutes: Route[] = [
  {
    method: "POST",
    path: "/automation/flow/activate-by-name",
    async handle(call) {
      const { name, initialData } = parseInput(AutomationByName, call.body ?? {});
      return {
        executionId: await activateAutomation(call.app.flows, starterOf(call), { name }, initialData ?? {}),
      };
    },
  },
  {
    method: "POST",
    path: "/automation/flow/trigger/activate-by-name",
    async handle(call) {
      const { flowName, triggerName } = parseInput(TriggerByName, call.query);
      const asked = { flow: { name: flowName }, trigger: { name: triggerName }, data: readData(call) };
      return formatExecutions(await activateTrigger(call.app.flows, starterOf(call), asked));
    },
  },
  {
    method: "POST",
    path: "/automation/flow/:flow/activate",
    async handle(call) {
      const { flow = "" } = call.params;
      return {
        executionId: await activateAutomation(call.app.flows, starterOf(call), { id: flow }, readData(call)),
      };
    },
  },
  {
    method: "POST",
    path: "/automation/flow/:flow/trigger/:trigger/activate",
    async handle(call) {
      const { flow = "", trigger = "" } = call.params;
      const { execution } = parseInput(z.object({ execution: ExecutionChoice }), call.query);
      const asked = {
        flow: { id: flow },
        trigger: { id: trigger },
        data: readData(call),
        ...(execution !== undefined && { execution }),
      };
      return formatExecutions(await activateTrigger(call.app.flows, starterOf(call), asked));
    },
  },
  {
    method: "GET",
    path: "/automation/flow/execution-context/:execution",
    async handle(call) {
      const run = await getRunAsStarter(call.app.flows, starterOf(call), call.params["execution"] ?? "");
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
