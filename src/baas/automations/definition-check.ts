import { type Message, msg } from "#platform/messages";
import { CODES, TableFault } from "#baas/data";
import {
  type Definition,
  parseDefinition,
  EMPTY_DEFINITION,
  invalidDefinition,
} from "./automation-definition.ts";
import type { Automations } from "./automations.ts";
import { DATA_TABLE_EVENTS, type TableEvent, type Trigger } from "./trigger-schemas.ts";

type TableTrigger = Extract<Trigger, { kind: "table" }>;
type DefinitionFault = { at: string; message: Message };
type CheckContext = Pick<Automations, "tables" | "entities">;

/**
 * Parses a definition like `parseDefinition`, and checks that its tables exist. Tables that the previous
 * definition (`before`) already names are not checked again.
 * @throws `invalid` with an error per path
 */
export async function checkDefinition(
  flows: CheckContext,
  input: unknown,
  before: Definition = EMPTY_DEFINITION,
): Promise<Definition> {
  const definition = parseDefinition(input);
  const known = new Set(before.triggers.map((it) => JSON.stringify(it)));
  const fields: Record<string, Message> = {};
  for (const [n, trigger] of definition.triggers.entries()) {
    if (trigger.kind !== "table" || known.has(JSON.stringify(trigger))) continue;
    const fault = findEntityFault(flows, trigger) ?? (await findTableFault(flows, trigger));
    if (fault) fields[`triggers.${n}.${fault.at}`] = fault.message;
  }
  if (Object.keys(fields).length > 0) throw invalidDefinition(fields);
  return definition;
}

/** Returns the error for an event that an API entity or a data table does not support, null otherwise. */
function findEntityFault(
  { entities }: CheckContext,
  { table, events }: TableTrigger,
): DefinitionFault | null {
  const supported: readonly TableEvent[] = Object.hasOwn(entities.events, table)
    ? entities.events[table]!
    : DATA_TABLE_EVENTS;
  const others = Object.keys(entities.events).filter((name) => entities.events[name]!.length > 0);
  if (supported.length === 0)
    return {
      at: "table",
      message: msg(
        "Changes in ''{table}'' cannot start an automation. Use one of these community tables: {list}.",
        {
          table,
          list: others.join(", "),
        },
      ),
    };
  const unheard = events.findIndex((event) => !supported.includes(event));
  if (unheard < 0) return null;
  return {
    at: `events.${unheard}`,
    message: msg("''{table}'' has no event {event}: use one of {list}.", {
      table,
      event: events[unheard]!,
      list: supported.join(", "),
    }),
  };
}

/**
 * Returns an error only if an unknown table's name resembles an existing one. Other unknown tables may be
 * created by a later save.
 */
async function findTableFault(
  { tables: { catalogue } }: CheckContext,
  { table }: TableTrigger,
): Promise<DefinitionFault | null> {
  try {
    await catalogue.table(table);
    return null;
  } catch (error) {
    if (!(error instanceof TableFault) || error.code !== CODES.tableNotFound) throw error;
  }
  const alike = (await catalogue.all()).find(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (alike)
    return {
      at: "table",
      message: msg("There is no table ''{table}''. Did you mean ''{other}''?", { table, other: alike.name }),
    };
  return (await catalogue.config()).dynamicSchema
    ? null
    : { at: "table", message: msg("There is no table ''{table}''.", { table }) };
}
