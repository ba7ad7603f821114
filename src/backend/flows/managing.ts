import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { BOUNDS } from "./bounds.ts";
import { definitionFor } from "./checking.ts";
import { type Definition, EMPTY } from "./definition.ts";
import type { Flows } from "./flows.ts";
import { nextMoment } from "./schedule.ts";
import type { Trigger } from "./triggers.ts";

/** An automation with its current definition. */
export type Flow = { id: string; name: string; enabled: boolean; version: number; changedAt: Date; definition: Definition };
/** An automation as listed, with its last run and counts by state. */
export type FlowLine = Pick<Flow, "id" | "name" | "enabled" | "changedAt"> & {
  lastRunAt: Date | null;
  lastState: string | null;
  failed: number;
  unended: number;
};

const noSuchFlow = (name: string) => new Refusal("not-found", `There is no flow '${name.slice(0, 100)}' here.`, { kind: "flow-not-found" });

/** Lists automations by name, with the outcome of their runs. */
export const listFlows = ({ db }: Pick<Flows, "db">): Promise<FlowLine[]> =>
  many(
    db,
    sql<FlowLine>`
      select f.id, f.name, f.enabled, f.changed_at as "changedAt", last.created_at as "lastRunAt", last.state as "lastState",
        (select count(*)::int from flow_runs r where r.flow_id = f.id and r.state = 'failed') as failed,
        (select count(*)::int from flow_runs r where r.flow_id = f.id and r.ended_at is null) as unended
      from flows f left join lateral (
        select created_at, state from flow_runs r where r.flow_id = f.id order by r.id desc limit 1) last on true
      order by f.name`,
  );

const FLOW = sql`
  select f.id, f.name, f.enabled, f.version, f.changed_at as "changedAt", v.definition
  from flows f join flow_versions v on v.flow_id = f.id and v.version = f.version`;
type Row = Omit<Flow, "definition"> & { definition: string };
const flowOf = (row: Row): Flow => ({ ...row, definition: JSON.parse(row.definition) as Definition });

/**
 * An automation by id or name.
 * @throws `not-found`
 */
export async function flowBy({ db }: Pick<Flows, "db">, by: { id: string } | { name: string }): Promise<Flow> {
  const [said, where] = "id" in by ? [by.id, isId(by.id) ? sql`f.id = ${by.id}` : sql`false`] : [by.name, sql`f.name = ${by.name}`];
  const row = await maybeOne(db, sql<Row>`${FLOW} where ${where}`);
  if (!row) throw noSuchFlow(said);
  return flowOf(row);
}

export const triggersOf = ({ db }: Pick<Flows, "db">, flowId: string): Promise<{ id: string; name: string; nextAt: Date | null }[]> =>
  many(
    db,
    sql<{ id: string; name: string; nextAt: Date | null }>`
      select id, name, next_at as "nextAt" from flow_triggers where flow_id = ${flowId} order by name`,
  );

const NAME = { say: "A flow has a name of 1 to 100 characters." };

function nameIn(given: string): string {
  const name = given.replace(/\s+/g, " ").trim();
  if (name === "" || name.length > 100) throw new Refusal("invalid", `name: ${NAME.say}`, { fields: { name: NAME.say } });
  return name;
}

async function assertFree(tx: Tx, name: string, id: string | null) {
  const other = await maybeOne(tx, sql<{ id: string }>`select id from flows where name = ${name}`);
  if (other && other.id !== id)
    throw new Refusal("conflict", "Another flow has that name.", { fields: { name: "Another flow has that name." } });
}

/**
 * Creates a disabled automation.
 * @throws `invalid`, `conflict` for a name in use, `too-large` when there are too many
 */
export async function makeFlow(
  flows: Pick<Flows, "inTransaction" | "tables" | "nouns">,
  given: { name: string; definition?: unknown },
): Promise<string> {
  const name = nameIn(given.name);
  const definition = given.definition === undefined ? EMPTY : await definitionFor(flows, given.definition);
  return flows.inTransaction(async (tx) => {
    await assertFree(tx, name, null);
    const { n } = await one(tx, sql<{ n: number }>`select count(*)::int as n from flows`);
    if (n >= BOUNDS.flows) throw new Refusal("too-large", `There are ${BOUNDS.flows} flows, as many as can be.`);
    const id = tx.newId();
    await run(
      tx,
      sql`insert into flows (id, name, enabled, version, created_at, changed_at) values (${id}, ${name}, false, 1, ${tx.now}, ${tx.now})`,
    );
    await keepVersion(tx, id, 1, definition, false);
    return id;
  });
}

type Change = {
  name?: string;
  enabled?: boolean;
  definition?: unknown;
  /** The version that was edited; `conflict` if it is no longer current. */ from?: number;
};

type Changing = Pick<Flows, "db" | "inTransaction" | "planners" | "tables" | "nouns">;

/**
 * Changes an automation; running runs keep their definition.
 * @throws `not-found`, `invalid`, `conflict`
 */
export async function changeFlow(flows: Changing, id: string, change: Change): Promise<void> {
  const definition =
    change.definition === undefined ? undefined : await definitionFor(flows, change.definition, (await flowBy(flows, { id })).definition);
  await flows.inTransaction(async (tx) => {
    const row = isId(id) ? await maybeOne(tx, sql<Row>`${FLOW} where f.id = ${id} for no key update of f`) : undefined;
    if (!row) throw noSuchFlow(id);
    const flow = flowOf(row);
    if (change.from !== undefined && change.from !== flow.version)
      throw new Refusal("conflict", "Somebody has changed this flow meanwhile. Look at it as it is now, and save again.");
    const name = change.name === undefined ? flow.name : nameIn(change.name);
    await assertFree(tx, name, id);
    const enabled = change.enabled ?? flow.enabled;
    const version = definition ? flow.version + 1 : flow.version;
    await run(
      tx,
      sql`update flows set name = ${name}, enabled = ${enabled}, version = ${version}, changed_at = ${tx.now} where id = ${id}`,
    );
    await keepVersion(tx, id, version, definition ?? flow.definition, enabled);
    tx.afterCommit(() => flows.planners.forEach((plan) => plan(tx.now)));
  });
}

/**
 * Deletes an automation with all its runs.
 * @throws `not-found`
 */
export async function removeFlow({ inTransaction }: Pick<Flows, "inTransaction">, id: string): Promise<void> {
  await inTransaction(async (tx) => {
    if (!isId(id) || (await run(tx, sql`delete from flows where id = ${id}`)) === 0) throw noSuchFlow(id);
    await announce(tx, { type: "flows.changed", flowId: id });
  });
}

async function keepVersion(tx: Tx, id: string, version: number, definition: Definition, enabled: boolean) {
  await run(
    tx,
    sql`insert into flow_versions (flow_id, version, definition) values (${id}, ${version}, ${JSON.stringify(definition)}) on conflict do nothing`,
  );
  const known = await many(tx, sql<Known>`select id, name, definition, next_at as "nextAt" from flow_triggers where flow_id = ${id}`);
  await run(tx, sql`delete from flow_triggers where flow_id = ${id}`);
  for (const trigger of definition.triggers)
    await keepTrigger(
      tx,
      id,
      trigger,
      enabled,
      known.find(({ name }) => name === trigger.name),
    );
  await announce(tx, { type: "flows.changed", flowId: id });
}
type Known = { id: string; name: string; definition: string; nextAt: Date | null };

/** A trigger keeps its id while its name stays, and a schedule its next time until it is edited. */
async function keepTrigger(tx: Tx, flowId: string, trigger: Trigger, enabled: boolean, known: Known | undefined) {
  const definition = JSON.stringify(trigger);
  const goesOn = known?.nextAt && known.definition === definition;
  const next = !enabled ? null : goesOn ? known.nextAt : nextMoment(trigger, tx.now, tx.now);
  await run(
    tx,
    sql`insert into flow_triggers (id, flow_id, name, definition, next_at)
        values (${known?.id ?? tx.newId()}, ${flowId}, ${trigger.name}, ${definition}, ${next})`,
  );
}
