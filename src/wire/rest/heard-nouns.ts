import type { HeardNouns, NounRead } from "#backend/flows";
import { CODES, findOne, onTable, type Caller as TableCaller, TableFault, type Tables } from "#backend/tables";
import {
  AUTOMATED,
  AUTOMATED_EVENTS,
  type AutomatedChange,
  automatedChangesIn,
  couldRead,
  handedOn,
  PUBLISHED,
} from "#community/published";
import type { Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import type { Database } from "#platform/database";
import { nobody } from "./caller.ts";

type Given = { database: Database; tables: Tables; settings: Settings };

/** Community entities as event sources of automations. */
export const heardNouns = (given: Given): HeardNouns => ({
  events: Object.fromEntries(PUBLISHED.map(({ name }) => [name, (AUTOMATED as string[]).includes(name) ? AUTOMATED_EVENTS : []])),
  changesIn: automatedChangesIn,
  async read(change, rights) {
    const key = rights === "house" ? "server" : "client";
    // In a private community guests read nothing, whatever they could find.
    if (key === "client" && (await given.settings.get()).audience === "private") return null;
    const { viewer, roles } = nobody(key);
    const who = { userId: null, roles: [...roles], server: key === "server", viewer };
    // It is one of the changes `changesIn` returned.
    return change.event === "deleted" ? readGone(given, change as AutomatedChange, viewer) : readNow(given, change as AutomatedChange, who);
  },
});

/** Null for records that are gone or not visible. */
async function readNow({ tables }: Given, { table: name, ids }: AutomatedChange, who: TableCaller): Promise<NounRead | null> {
  try {
    const asked = await onTable(tables, name, (table) => findOne(tables, who, table, ids.objectId));
    return { asked, given: handedOn(asked) };
  } catch (error) {
    if (error instanceof TableFault && error.code === CODES.objectNotFound) return null;
    throw error;
  }
}

/** A deleted record passes on only its id and container. */
async function readGone({ database: { db } }: Given, change: AutomatedChange, viewer: Viewer): Promise<NounRead | null> {
  if (!(await couldRead(db, change, viewer))) return null;
  const gone = { ___class: change.table, ...change.ids };
  return { asked: gone, given: gone };
}
