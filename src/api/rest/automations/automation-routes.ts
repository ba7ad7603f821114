import { toEnglish } from "#platform/messages";
import { activateAutomation, activateTrigger, getRunAsStarter, type RunStarter } from "#baas/automations";
import { z } from "zod";
import { defineEndpoint, parsedByHandler, type Permission } from "../endpoint.ts";
import { parseInput } from "../parse-input.ts";
import type { Call } from "../rest-route.ts";

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

/** The caller in the form that automations take. */
const starterOf = ({ caller: { viewer, roles, key } }: Pick<Call, "caller">): RunStarter => ({
  personId: viewer.id,
  roles,
  server: key === "server",
  trusted: key === "server" || viewer.role === "admin",
});

const STARTER: Permission = {
  name: "callers whom the trigger of the automation admits",
  caller: "server key",
  refusal: { status: 404, code: 404 },
};
const STARTER_OF_RUN: Permission = {
  name: "the starter of the run, admins, and the server key",
  caller: "server key",
  refusal: { status: 404, code: 404 },
};

/** Reads the data passed to an automation from a body; an empty object by default. */
const readData = (body: unknown) => parseInput(z.object({ data: AutomationData }), { data: body }).data ?? {};
const DataBody = parsedByHandler(AutomationData);
const ByNameBody = z.preprocess((body) => body ?? {}, AutomationByName);

const Executions = z.object({ executionId: z.string().nullable(), executionIds: z.array(z.string()) });
const formatExecutions = (executionIds: string[]): z.output<typeof Executions> => ({
  executionId: executionIds[0] ?? null,
  executionIds,
});
const Started = z.object({ executionId: z.string().nullable() });
const AutomationRun = z
  .object({
    executionId: z.string(),
    flowId: z.string(),
    flowName: z.string(),
    status: z.string(),
    waitingFor: z.unknown(),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
    error: z.string().nullable(),
    context: z.looseObject({}),
  })
  .meta({ id: "AutomationRun" });

const flow = "01900000-0000-7000-8000-000000000001";

/**
 * Endpoints that start and resume automations. An answer has the ids of the runs; results are read from
 * their contexts.
 */
export const automationEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/automation/flow/activate-by-name",
    summary: "Starts the automation `name` with `initialData`.",
    permission: STARTER,
    body: ByNameBody,
    response: Started,
    example: { body: { name: "welcome", initialData: { name: "Mira" } } },
    handle: async (call) => ({
      executionId: await activateAutomation(
        call.app.flows,
        starterOf(call),
        { name: call.body.name },
        call.body.initialData ?? {},
      ),
    }),
  }),
  defineEndpoint({
    method: "POST",
    path: "/automation/flow/trigger/activate-by-name",
    summary: "Activates the trigger `triggerName` of the automation `flowName` with the body as its data.",
    permission: STARTER,
    query: TriggerByName,
    body: DataBody,
    response: Executions,
    example: { query: { flowName: "welcome", triggerName: "start" }, body: { name: "Mira" } },
    async handle(call) {
      const { flowName, triggerName } = call.query;
      const activation = {
        flow: { name: flowName },
        trigger: { name: triggerName },
        data: readData(call.body),
      };
      return formatExecutions(await activateTrigger(call.app.flows, starterOf(call), activation));
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/automation/flow/:flow/activate",
    summary: "Starts an automation with the body as its data.",
    permission: STARTER,
    body: DataBody,
    response: Started,
    example: { params: { flow }, body: { name: "Mira" } },
    handle: async (call) => ({
      executionId: await activateAutomation(
        call.app.flows,
        starterOf(call),
        { id: call.params.flow },
        readData(call.body),
      ),
    }),
  }),
  defineEndpoint({
    method: "POST",
    path: "/automation/flow/:flow/trigger/:trigger/activate",
    summary: "Activates a trigger for `execution`: `any` waiting run, `all`, or one by its id.",
    permission: STARTER,
    query: z.object({ execution: ExecutionChoice }),
    body: DataBody,
    response: Executions,
    example: { params: { flow, trigger: "start" }, body: { name: "Mira" } },
    async handle(call) {
      const { execution } = call.query;
      const asked = {
        flow: { id: call.params.flow },
        trigger: { id: call.params.trigger },
        data: readData(call.body),
        ...(execution !== undefined && { execution }),
      };
      return formatExecutions(await activateTrigger(call.app.flows, starterOf(call), asked));
    },
  }),
  defineEndpoint({
    method: "GET",
    path: "/automation/flow/execution-context/:execution",
    summary: "Returns the state and data of a run.",
    permission: STARTER_OF_RUN,
    response: AutomationRun,
    example: { params: { execution: flow } },
    async handle(call) {
      const run = await getRunAsStarter(call.app.flows, starterOf(call), call.params.execution);
      return {
        executionId: run.id,
        flowId: run.flowId,
        flowName: run.flowName,
        status: run.state,
        waitingFor: run.waitingFor,
        startedAt: run.createdAt.getTime(),
        endedAt: run.endedAt?.getTime() ?? null,
        error: run.fault && toEnglish(run.fault),
        context: run.context,
      };
    },
  }),
];
