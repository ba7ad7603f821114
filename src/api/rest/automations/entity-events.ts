import type { EntityTriggers, TriggerRecord } from "#baas/automations";
import {
  CODES,
  findOne,
  withTable,
  type Caller as TableCaller,
  TableFault,
  type DataTables,
} from "#baas/data";
import {
  AUTOMATED_EVENTS,
  type AutomatedChange,
  isAutomatedChange,
  listAutomatedChanges,
  couldReadRecord,
  toAutomationRecord,
  API_ENTITIES,
} from "#community/api-entities";
import type { Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import type { Database } from "#platform/database";
import { anonymousCaller } from "../rest-caller.ts";

type EntityEventOptions = { database: Database; tables: DataTables; settings: Settings };

/** Community entities as event sources of automations. */
export const createEntityEvents = (options: EntityEventOptions): EntityTriggers => ({
  events: Object.fromEntries(API_ENTITIES.map(({ name }) => [name, AUTOMATED_EVENTS[name] ?? []])),
  changesIn: listAutomatedChanges,
  async read(change, rights) {
    const key = rights === "system" ? "server" : "client";
    // In a private community guests can read nothing.
    if (key === "client" && (await options.settings.get()).audience === "private") return null;
    const { viewer, roles } = anonymousCaller(key);
    const who = { userId: null, roles: [...roles], server: key === "server", viewer };
    if (!isAutomatedChange(change)) return null;
    return change.event === "deleted"
      ? readDeletedRecord(options, change, viewer)
      : readCurrentRecords(options, change, who);
  },
});

/** Loads the current record; null if it is gone or not visible. */
async function readCurrentRecords(
  { tables }: EntityEventOptions,
  { table: name, ids }: AutomatedChange,
  caller: TableCaller,
): Promise<TriggerRecord | null> {
  try {
    const record = await withTable(tables, name, (table) => findOne(tables, caller, table, ids.objectId));
    return { forConditions: record, forRun: toAutomationRecord(record) };
  } catch (error) {
    if (error instanceof TableFault && error.code === CODES.objectNotFound) return null;
    throw error;
  }
}

/**
 * Facts about a deleted record: its id and the ids of what it belonged to. Null for viewers who could
 * not read it.
 */
async function readDeletedRecord(
  { database: { db } }: EntityEventOptions,
  change: AutomatedChange,
  viewer: Viewer,
): Promise<TriggerRecord | null> {
  if (!(await couldReadRecord(db, change, viewer))) return null;
  const gone = { ___class: change.table, ...change.ids };
  return { forConditions: gone, forRun: gone };
}
