import { CODES, TableFault } from "#backend/tables";
import { type Definition, definitionIn, EMPTY, faulty } from "./definition.ts";
import type { Flows } from "./flows.ts";
import type { Trigger } from "./triggers.ts";

type TableTrigger = Extract<Trigger, { kind: "table" }>;
type Fault = { at: string; sentence: string };
type Asked = Pick<Flows, "tables" | "nouns">;

/**
 * Parses a definition like `parseDefinition`, and checks that its tables exist. Tables that `before` already
 * named are not checked.
 * @throws `invalid` with a sentence per path
 */
export async function definitionFor(flows: Asked, given: unknown, before: Definition = EMPTY): Promise<Definition> {
  const definition = definitionIn(given);
  const known = new Set(before.triggers.map((it) => JSON.stringify(it)));
  const fields: Record<string, string> = {};
  for (const [n, trigger] of definition.triggers.entries()) {
    if (trigger.kind !== "table" || known.has(JSON.stringify(trigger))) continue;
    const fault = nounFault(flows, trigger) ?? (await tableFault(flows, trigger));
    if (fault) fields[`triggers.${n}.${fault.at}`] = fault.sentence;
  }
  if (Object.keys(fields).length > 0) throw faulty(fields);
  return definition;
}

/** Events that an API entity does not support. */
function nounFault({ nouns }: Asked, { table, events }: TableTrigger): Fault | null {
  if (!Object.hasOwn(nouns.events, table)) return null;
  const heard = nouns.events[table]!;
  const others = Object.keys(nouns.events).filter((name) => nouns.events[name]!.length > 0);
  if (heard.length === 0)
    return { at: "table", sentence: `What happens in '${table}' starts no flow. Of the community, these tables do: ${others.join(", ")}.` };
  const unheard = events.findIndex((event) => !heard.includes(event));
  if (unheard < 0) return null;
  return { at: `events.${unheard}`, sentence: `In '${table}' nothing is ever ${events[unheard]!}: this is one of ${heard.join(", ")}.` };
}

/** An unknown table may be created by a later save, unless the name is close to an existing one. */
async function tableFault({ tables: { catalogue } }: Asked, { table }: TableTrigger): Promise<Fault | null> {
  try {
    await catalogue.table(table);
    return null;
  } catch (error) {
    if (!(error instanceof TableFault) || error.code !== CODES.tableNotFound) throw error;
  }
  const alike = (await catalogue.all()).find(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (alike) return { at: "table", sentence: `There is no table '${table}' here, but there is '${alike.name}'.` };
  return (await catalogue.config()).dynamicSchema ? null : { at: "table", sentence: `There is no table '${table}' here.` };
}
