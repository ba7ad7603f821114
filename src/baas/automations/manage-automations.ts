import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { parseTrustedJson } from "#platform/json";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "./automation-limits.ts";
import { checkDefinition } from "./definition-check.ts";
import { type Definition, EMPTY_DEFINITION } from "./automation-definition.ts";
import type { Automations } from "./automations.ts";
import { nextTriggerTime } from "./trigger-schedule.ts";
import type { Trigger } from "./trigger-schemas.ts";

/** An automation with its current definition. */
export type Automation = {
  id: string;
  name: string;
  enabled: boolean;
  version: number;
  changedAt: Date;
  definition: Definition;
};
/** An automation as listed, with its last run and counts by state. */
export type AutomationRow = Pick<Automation, "id" | "name" | "enabled" | "changedAt"> & {
  lastRunAt: Date | null;
  lastState: string | null;
  failed: number;
  unended: number;
};

const automationNotFound = (name: string) =>
  new Refusal("not-found", msg("There is no automation ''{name}''.", { name: name.slice(0, 100) }), {
    kind: "flow-not-found",
  });

/** Lists automations by name, with the outcome of their runs. */
export const listAutomations = ({ db }: Pick<Automations, "db">): Promise<AutomationRow[]> =>
  many(
    db,
    sql<AutomationRow>`
      select f.id, f.name, f.enabled, f.changed_at as "changedAt", last.created_at as "lastRunAt",
        last.state as "lastState",
        (select count(*)::int from automation_runs r where r.flow_id = f.id and r.state = 'failed') as failed,
        (select count(*)::int from automation_runs r where r.flow_id = f.id and r.ended_at is null) as unended
      from automations f left join lateral (
        select created_at, state from automation_runs r where r.flow_id = f.id order by r.id desc
          limit 1) last on true
      order by f.name`,
  );

const SELECT_AUTOMATION = sql`
  select f.id, f.name, f.enabled, f.version, f.changed_at as "changedAt", v.definition
  from automations f join automation_versions v on v.flow_id = f.id and v.version = f.version`;
type StoredAutomation = Omit<Automation, "definition"> & { definition: string };
const parseAutomation = (row: StoredAutomation): Automation => ({
  ...row,
  definition: parseTrustedJson(row.definition),
});

/**
 * Returns an automation by id or name.
 * @throws `not-found`
 */
export async function getAutomation(
  { db }: Pick<Automations, "db">,
  by: { id: string } | { name: string },
): Promise<Automation> {
  const [identity, condition] =
    "id" in by
      ? [by.id, isId(by.id) ? sql`f.id = ${by.id}` : sql`false`]
      : [by.name, sql`f.name = ${by.name}`];
  const row = await maybeOne(db, sql<StoredAutomation>`${SELECT_AUTOMATION} where ${condition}`);
  if (!row) throw automationNotFound(identity);
  return parseAutomation(row);
}

export const listTriggers = (
  { db }: Pick<Automations, "db">,
  flowId: string,
): Promise<{ id: string; name: string; nextAt: Date | null }[]> =>
  many(
    db,
    sql<{ id: string; name: string; nextAt: Date | null }>`
      select id, name, next_at as "nextAt" from automation_triggers where flow_id = ${flowId} order by name`,
  );

const INVALID_NAME = { text: "The name of an automation has 1 to 100 characters." };

function parseName(input: string): string {
  const name = input.replace(/\s+/g, " ").trim();
  if (name === "" || name.length > 100)
    throw new Refusal("invalid", msg("{place}: {what}", { place: "name", what: INVALID_NAME.text }), {
      fields: { name: INVALID_NAME.text },
    });
  return name;
}

async function assertNameFree(tx: Tx, name: string, id: string | null) {
  const other = await maybeOne(tx, sql<{ id: string }>`select id from automations where name = ${name}`);
  if (other && other.id !== id)
    throw new Refusal("conflict", "Another automation already has that name.", {
      fields: { name: "Another automation already has that name." },
    });
}

/**
 * Creates a disabled automation.
 * @throws `invalid`, `conflict` for a name in use, `too-large` when there are too many
 */
export async function createAutomation(
  flows: Pick<Automations, "inTransaction" | "tables" | "entities">,
  input: { name: string; definition?: unknown },
): Promise<string> {
  const name = parseName(input.name);
  const definition =
    input.definition === undefined ? EMPTY_DEFINITION : await checkDefinition(flows, input.definition);
  return flows.inTransaction(async (tx) => {
    await assertNameFree(tx, name, null);
    const { n } = await one(tx, sql<{ n: number }>`select count(*)::int as n from automations`);
    if (n >= AUTOMATION_LIMITS.flows)
      throw new Refusal(
        "too-large",
        msg("There are {count} automations, the maximum.", { count: AUTOMATION_LIMITS.flows }),
      );
    const id = tx.newId();
    await run(
      tx,
      sql`insert into automations (id, name, enabled, version, created_at, changed_at)
        values (${id}, ${name}, false, 1, ${tx.now}, ${tx.now})`,
    );
    await insertVersion(tx, id, 1, definition, false);
    return id;
  });
}

type AutomationChange = {
  name?: string;
  enabled?: boolean;
  definition?: unknown;
  /** The version that was edited; `conflict` if it is no longer current. */ from?: number;
};

type ChangeContext = Pick<Automations, "db" | "inTransaction" | "planners" | "tables" | "entities">;

/**
 * Changes an automation; runs in progress keep their definition.
 * @throws `not-found`, `invalid`, `conflict`
 */
export async function changeAutomation(
  flows: ChangeContext,
  id: string,
  change: AutomationChange,
): Promise<void> {
  const definition =
    change.definition === undefined
      ? undefined
      : await checkDefinition(flows, change.definition, (await getAutomation(flows, { id })).definition);
  await flows.inTransaction(async (tx) => {
    const row = isId(id)
      ? await maybeOne(
          tx,
          sql<StoredAutomation>`${SELECT_AUTOMATION} where f.id = ${id} for no key update of f`,
        )
      : undefined;
    if (!row) throw automationNotFound(id);
    const flow = parseAutomation(row);
    if (change.from !== undefined && change.from !== flow.version)
      throw new Refusal(
        "conflict",
        "Someone else changed this automation. Review the current version and save again.",
      );
    const name = change.name === undefined ? flow.name : parseName(change.name);
    await assertNameFree(tx, name, id);
    const enabled = change.enabled ?? flow.enabled;
    const version = definition ? flow.version + 1 : flow.version;
    await run(
      tx,
      sql`update automations set name = ${name}, enabled = ${enabled}, version = ${version},
        changed_at = ${tx.now} where id = ${id}`,
    );
    await insertVersion(tx, id, version, definition ?? flow.definition, enabled);
    tx.afterCommit(() => flows.planners.forEach((plan) => plan(tx.now)));
  });
}

/**
 * Deletes an automation with all its runs.
 * @throws `not-found`
 */
export async function deleteAutomation(
  { inTransaction }: Pick<Automations, "inTransaction">,
  id: string,
): Promise<void> {
  await inTransaction(async (tx) => {
    if (!isId(id) || (await run(tx, sql`delete from automations where id = ${id}`)) === 0)
      throw automationNotFound(id);
    await emit(tx, { type: "flows.changed", flowId: id });
  });
}

async function insertVersion(tx: Tx, id: string, version: number, definition: Definition, enabled: boolean) {
  await run(
    tx,
    sql`insert into automation_versions (flow_id, version, definition)
      values (${id}, ${version}, ${JSON.stringify(definition)}) on conflict do nothing`,
  );
  const known = await many(
    tx,
    sql<StoredTrigger>`select id, name, definition, next_at as "nextAt" from automation_triggers
      where flow_id = ${id}`,
  );
  await run(tx, sql`delete from automation_triggers where flow_id = ${id}`);
  for (const trigger of definition.triggers)
    await saveTrigger(
      tx,
      id,
      trigger,
      enabled,
      known.find(({ name }) => name === trigger.name),
    );
  await emit(tx, { type: "flows.changed", flowId: id });
}
type StoredTrigger = { id: string; name: string; definition: string; nextAt: Date | null };

/**
 * Saves a trigger. It keeps its id while its name is unchanged, and a schedule keeps its next due time until
 * the schedule is edited.
 */
async function saveTrigger(
  tx: Tx,
  flowId: string,
  trigger: Trigger,
  enabled: boolean,
  known: StoredTrigger | undefined,
) {
  const definition = JSON.stringify(trigger);
  const goesOn = known?.nextAt && known.definition === definition;
  const next = !enabled ? null : goesOn ? known.nextAt : nextTriggerTime(trigger, tx.now, tx.now);
  await run(
    tx,
    sql`insert into automation_triggers (id, flow_id, name, definition, next_at)
        values (${known?.id ?? tx.newId()}, ${flowId}, ${trigger.name}, ${definition}, ${next})`,
  );
}
