import { addMilliseconds, MINUTE } from "#platform/clock";
import { limit, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { type MessageDescriptor, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";
import { START_POSITION } from "./run-cursor.ts";
import type { Definition } from "../automation-definition.ts";
import type { Trigger } from "../trigger-schemas.ts";
import type { Automations } from "../automations.ts";
import { logRun } from "./run-log.ts";
import { assertJsonSize } from "../json-limits.ts";

/** A trigger and its data, with which a run is started or woken. */
export type RunStart = {
  flowId: string;
  trigger: Pick<Trigger, "name" | "kind">;
  data: unknown;
  personId: string | null;
  server: boolean;
  /** Id of the run that caused this one. */
  cause?: string | null;
  /** Id of the event. An event starts only one run, even if it is delivered again. */
  sourceEvent?: string | null;
  /**
   * The rights with which the data was read. If the automation's rights have changed since, the automation
   * does not receive the data.
   */
  rights?: Definition["rights"] | undefined;
};

/**
 * Starts a run of an enabled automation and returns its id; null if the same event started one already.
 * @throws `not-found`, `conflict` if it is disabled or its rights changed, `too-large` for the data,
 * `too-many` for too many runs, starts or a chain of runs
 */
export async function startRun(flows: Automations, tx: Tx, start: RunStart): Promise<string | null> {
  const data = JSON.parse(
    assertJsonSize(start.data ?? {}, AUTOMATION_LIMITS.data, "The input of an automation"),
  ) as unknown;
  const flow = await maybeOne(
    tx,
    sql<{ name: string; version: number; enabled: boolean; rights: string }>`
      select f.name, f.version, f.enabled, v.definition::json ->> 'rights' as rights
      from automations f join automation_versions v on v.flow_id = f.id and v.version = f.version
      where f.id = ${start.flowId}`,
  );
  if (!flow) throw new Refusal("not-found", "This automation does not exist.", { kind: "flow-not-found" });
  if (!flow.enabled)
    throw new Refusal("conflict", msg("The automation ''{name}'' is off.", { name: flow.name }), {
      kind: "flow-off",
    });
  if (start.rights !== undefined && start.rights !== flow.rights)
    throw new Refusal(
      "conflict",
      msg("The rights of the automation ''{flow}'' have just changed. Start it again.", { flow: flow.name }),
      {
        kind: "flow-changed",
      },
    );
  const depth = await measureChain(tx, start.cause ?? null);
  await assertRunQuota(tx, start.flowId, flow.name);
  const id = tx.newId();
  const context = JSON.stringify({ trigger: { name: start.trigger.name, kind: start.trigger.kind, data } });
  const made = await run(
    tx,
    sql`
      insert into automation_runs (id, flow_id, version, person_id, server, depth, told, trigger, state,
        position, context, due_at, created_at)
      values (${id}, ${start.flowId}, ${flow.version}, ${start.personId}, ${start.server}, ${depth},
        ${start.sourceEvent ?? null}, ${start.trigger.name},
        'running', ${JSON.stringify(START_POSITION)}, ${context}, ${tx.now}, ${tx.now})
      on conflict do nothing`,
  );
  if (made === 0) return null;
  tx.afterCommit(() => {
    for (const plan of flows.planners) plan(tx.now);
    logRun(flows, {
      flow: flow.name,
      runId: id,
      level: "INFO",
      sentence: `started by ${start.trigger.name}`,
    });
  });
  return id;
}

/** Counts the runs in the chain that led to this one. The limit stops automations that trigger themselves. */
async function measureChain(tx: Tx, cause: string | null): Promise<number> {
  if (cause === null) return 0;
  const found = await maybeOne(
    tx,
    sql<{ depth: number }>`select depth from automation_runs where id = ${cause}`,
  );
  const depth = (found?.depth ?? 0) + 1;
  if (depth > AUTOMATION_LIMITS.chain)
    throw new Refusal(
      "too-many",
      msg("Automations have started one another {count} times in a row, the maximum.", {
        count: AUTOMATION_LIMITS.chain,
      }),
      {
        kind: "flow-chain",
      },
    );
  return depth;
}

async function assertRunQuota(tx: Tx, flowId: string, name: string): Promise<void> {
  const { unended, all, lately } = await one(
    tx,
    sql<{ unended: number; all: number; lately: number }>`
      select (select count(*)::int from automation_runs
        where flow_id = ${flowId} and due_at is not null) as unended,
        (select count(*)::int from automation_runs where due_at is not null) as all,
        (select count(*)::int from (
          select created_at from automation_runs where flow_id = ${flowId}
            order by id desc ${limit(AUTOMATION_LIMITS.startsOfMinute)}) it
          where created_at > ${addMilliseconds(tx.now, -MINUTE)}) as lately`,
  );
  const refuse = (why: MessageDescriptor) =>
    new Refusal("too-many", msg("{why} Try again later.", { why }), { retryAfter: 60, kind: "flow-busy" });
  if (unended >= AUTOMATION_LIMITS.unended)
    throw refuse(
      msg("The automation ''{name}'' has {count} unfinished runs, the maximum.", {
        name,
        count: AUTOMATION_LIMITS.unended,
      }),
    );
  if (all >= AUTOMATION_LIMITS.unendedOfAll)
    throw refuse(
      msg("There are {count} unfinished automation runs, the maximum.", {
        count: AUTOMATION_LIMITS.unendedOfAll,
      }),
    );
  if (lately >= AUTOMATION_LIMITS.startsOfMinute)
    throw refuse(
      msg("The automation ''{name}'' has been started {count} times within a minute, the maximum.", {
        name,
        count: AUTOMATION_LIMITS.startsOfMinute,
      }),
    );
}
