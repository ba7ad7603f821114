import { maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { Definition } from "./definition.ts";
import type { Trigger } from "./triggers.ts";
import type { Flows } from "./flows.ts";
import { type Flow, flowBy } from "./managing.ts";
import { startRun } from "./starting.ts";
import { type Execution, wakeRuns } from "./waking.ts";

/** Who asks: a person or nobody, with their roles; `trusted` may do everything here: the server's key, and admins. */
export type Starter = { personId: string | null; roles: readonly string[]; server: boolean; trusted: boolean };

const mayStart = ({ who, roles }: Definition, by: Starter): boolean =>
  by.trusted ||
  who === "everyone" ||
  (who === "members" && by.roles.includes("AuthenticatedUser")) ||
  (who === "roles" && by.roles.some((role) => roles.includes(role)));

/** A flow that somebody may start. Whoever may not is told that there is none. */
async function flowFor(flows: Flows, by: Starter, wanted: { id: string } | { name: string }): Promise<Flow> {
  const flow = await flowBy(flows, wanted);
  if (mayStart(flow.definition, by)) return flow;
  throw new Refusal("not-found", `There is no flow '${("id" in wanted ? wanted.id : wanted.name).slice(0, 100)}' here.`, {
    kind: "flow-not-found",
  });
}

const start = (flows: Flows, by: Starter, flow: Flow, trigger: Trigger, data: unknown, cause: string | null): Promise<string> =>
  flows.inTransaction(async (tx) => {
    const { personId, server } = by;
    return (await startRun(flows, tx, { flowId: flow.id, trigger, data, personId, server, cause }))!;
  });

/**
 * Starts a flow by its first trigger that is called, for whoever may; the id of the run. Throws `not-found`, `conflict` for a flow that is
 * switched off or is not started by calls, `too-large`, `too-many`.
 */
export async function activateFlow(
  flows: Flows,
  by: Starter,
  wanted: { id: string } | { name: string },
  data: unknown,
  cause: string | null = null,
): Promise<string> {
  const flow = await flowFor(flows, by, wanted);
  const trigger = flow.definition.triggers.find(({ kind, starts }) => kind === "call" && starts);
  if (!trigger)
    throw new Refusal("conflict", `The flow '${flow.name}' has no trigger by which a call starts it.`, { kind: "flow-not-called" });
  return start(flows, by, flow, trigger, data, cause);
}

type Activation = {
  flow: { id: string } | { name: string };
  trigger: { id: string } | { name: string };
  data: unknown;
  execution?: string;
};

/**
 * Calls a trigger: it starts a run, or, where it starts none or `execution` says so, wakes runs that wait for it: `any` the one that waits
 * longest, `all`, or the one of that id. The ids of these runs. Throws as `activateFlow` does; `not-found` for a trigger that is not there or is
 * not called, and `conflict` where no run waits for it.
 */
export async function activateTrigger(flows: Flows, by: Starter, asked: Activation, cause: string | null = null): Promise<string[]> {
  const flow = await flowFor(flows, by, asked.flow);
  const trigger = await triggerOf(flows, by, flow, asked.trigger);
  if (asked.execution === undefined && trigger.starts) return [await start(flows, by, flow, trigger, asked.data, cause)];
  if (!flow.enabled) throw new Refusal("conflict", `The flow '${flow.name}' is switched off.`, { kind: "flow-off" });
  const execution = executionOf(asked.execution ?? "any");
  const woken = await flows.inTransaction((tx) =>
    wakeRuns(flows, tx, { flowId: flow.id, trigger: trigger.name, data: asked.data, execution }),
  );
  if (woken.length > 0 || execution === "all") return woken;
  throw new Refusal("conflict", `No run of the flow '${flow.name}' waits for '${trigger.name}'.`, { kind: "nothing-waits" });
}

const executionOf = (said: string): Execution => (said === "any" || said === "all" ? said : { id: said });

/** A trigger by its name or its id. Those that hear of something by themselves are called only by whoever is trusted, to try them. */
async function triggerOf({ db }: Flows, by: Starter, flow: Flow, wanted: Activation["trigger"]): Promise<Trigger> {
  const named = "name" in wanted ? wanted.name : await nameOf(db, flow.id, wanted.id);
  const trigger = flow.definition.triggers.find(({ name }) => name === named);
  if (trigger && (trigger.kind === "call" || by.trusted)) return trigger;
  throw new Refusal(
    "not-found",
    `The flow '${flow.name}' has no trigger '${("name" in wanted ? wanted.name : wanted.id).slice(0, 100)}'.`,
    {
      kind: "trigger-not-found",
    },
  );
}

const nameOf = async (db: Flows["db"], flowId: string, id: string): Promise<string> =>
  (isId(id)
    ? (await maybeOne(db, sql<{ name: string }>`select name from flow_triggers where flow_id = ${flowId} and id = ${id}`))?.name
    : undefined) ?? id;
