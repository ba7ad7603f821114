import { childrenIn, createRelation, DEEPEST, grown } from "./catalogue/grow.ts";
import { describe, type Described } from "./catalogue/describe.ts";
import type { Caller, Table, WireRecord } from "./catalogue/types.ts";
import { idsInLongList } from "./clause/ids-in-long-list.ts";
import { badRequest, noSuchTable, tooMuch } from "./faults.ts";
import { setGrant } from "./permissions/grants.ts";
import { assertMay, isAllowed } from "./permissions/rows.ts";
import { findOne } from "./query/index.ts";
import { addRelation, type Children, deleteRelation, setRelation } from "./relations/relations.ts";
import { parseRelationName } from "./relations/relation-name.ts";
import { inOneGo, oneStatement, oneTransaction, onTable, type Tables, takeRoom } from "./tables.ts";
import { deepSave } from "./writes/deep-save.ts";
import { assertFew, changeRows, countStanding, createRows, removeRows, upsertRows } from "./writes/many.ts";
import {
  changeNouns,
  type NounAct,
  removeNoun,
  removeNouns,
  assertFewNouns,
  noSuchAct,
  preparedNouns,
  someNouns,
  writeNoun,
  writeNouns,
  writtenNoun,
} from "./writes/nouns.ts";
import { createRow, lockRow, removeRow, updateRow, upsertRow } from "./writes/one.ts";
import { type Given, givenFor, idIn, recordIn } from "./writes/record.ts";
import type { Writing } from "./writes/writing.ts";

/** Saves an object: changes it if it has an id, else creates it. Returns the whole object. */
export async function save(tables: Tables, caller: Caller, name: string, body: unknown): Promise<WireRecord> {
  const record = recordIn(body);
  await takeRoom(tables, name, record["objectId"] ? 0 : 1);
  await grown(tables, caller, name, [record]);
  return onTable(tables, name, async (table) => {
    if (table.noun) return saveNoun(tables, caller, table, record);
    const given = givenFor(table, caller, record);
    const { objectId } = given;
    return stored(tables, given, (writing) =>
      objectId === null
        ? createRow(writing, { table, caller, event: "record.created" }, given)
        : updateRow(writing, { table, caller, event: "record.updated" }, objectId, given),
    );
  });
}

/**
 * Creates an object, with the id it brings if that is unused.
 * @throws 1155 for an id in use
 */
export async function create(tables: Tables, caller: Caller, name: string, body: unknown): Promise<WireRecord> {
  const record = recordIn(body);
  await takeRoom(tables, name, 1);
  await grown(tables, caller, name, [record]);
  return onTable(tables, name, async (table) => {
    if (table.noun) return saveNoun(tables, caller, table, asNew(record));
    const given = givenFor(table, caller, record);
    return stored(tables, given, (writing) => createRow(writing, { table, caller, event: "record.created" }, given));
  });
}

/** A change of a JSON value has to read and lock it first; everything else is one statement. */
const stored = <T>(tables: Tables, { updates }: Given, work: (writing: Writing) => Promise<T>): Promise<T> =>
  updates.size > 0 ? inOneGo(tables, work) : work(oneStatement(tables));

/**
 * Changes an object of a data table after `look` has checked its locked state; an error of `look` leaves it
 * unchanged.
 */
export async function saveAfter(tables: Tables, caller: Caller, name: string, body: unknown, look: (now: WireRecord) => void) {
  const record = recordIn(body);
  await takeRoom(tables, name, 0);
  return onTable(tables, name, (table) =>
    inOneGo(tables, async (writing) => {
      const given = givenFor(table, caller, record, true);
      const objectId = given.objectId ?? "";
      await lockRow(writing, table, caller, objectId);
      look(await findOne(writing, caller, table, objectId));
      return updateRow(writing, { table, caller, event: "record.updated" }, objectId, given);
    }),
  );
}

/** Like `saveObject`, but an unknown id creates an object with that id. */
export async function upsert(tables: Tables, caller: Caller, name: string, body: unknown): Promise<WireRecord> {
  const record = recordIn(body);
  await takeRoom(tables, name, await newAmong(tables, name, [record]));
  await grown(tables, caller, name, [record]);
  return onTable(tables, name, async (table) => {
    if (table.noun) return saveNoun(tables, caller, table, record);
    return inOneGo(tables, (writing) => upsertRow(writing, { table, caller }, givenFor(table, caller, record)));
  });
}

/**
 * Saves an object with its nested objects in one transaction. The answer includes the relations that were
 * given.
 */
export async function saveDeep(tables: Tables, caller: Caller, name: string, body: unknown): Promise<WireRecord> {
  const record = recordIn(body);
  await tables.catalogue.config();
  await takeRoom(tables, name, newWithin(tables, name, record));
  await grown(tables, caller, name, [record], true);
  return onTable(tables, name, (table) => inOneGo(tables, (writing) => deepSave(writing, caller, table, record)));
}

/** Counts the new objects of a deep save, those without an id, including the outermost. */
function newWithin(tables: Tables, name: string, record: WireRecord, depth = 0): number {
  const relations = depth < DEEPEST ? [...(tables.catalogue.known(name)?.relations.values() ?? [])] : [];
  return relations.reduce(
    (sum, { name: relation, toTable }) =>
      childrenIn(record[relation]).reduce((within, child) => within + newWithin(tables, toTable, child, depth + 1), sum),
    idIn(record["objectId"]) === null ? 1 : 0,
  );
}

/** Removes an object. Returns the time in milliseconds. */
export const remove = (tables: Tables, caller: Caller, name: string, objectId: string): Promise<number> =>
  onTable(tables, name, async (table) => {
    if (table.noun) return byVerbs(tables, caller, table, (act) => removeNoun(act, objectId));
    const work = (writing: Writing) => removeRow(writing, { table, caller }, objectId);
    return table.hasGrants ? inOneGo(tables, work) : work(oneStatement(tables));
  });

/** Runs commands of an API entity in one transaction. */
const byVerbs = <T>(tables: Tables, caller: Caller, table: Table, work: (act: NounAct) => Promise<T>): Promise<T> =>
  oneTransaction(tables, (tx) => work({ tx, catalogue: tables.catalogue.within(tx), caller, table, left: someNouns() }));

async function saveNoun(tables: Tables, caller: Caller, table: Table, record: WireRecord): Promise<WireRecord> {
  const [prepared] = await preparedNouns(table, caller, [record]);
  const id = await byVerbs(tables, caller, table, (act) => writeNoun(act, prepared!));
  return writtenNoun(tables, caller, table, id, record);
}

function recordsIn(body: unknown): WireRecord[] {
  if (!Array.isArray(body)) throw badRequest("Objects come as a list.");
  assertFew(body);
  return body.map(recordIn);
}

/** Creates many objects in one transaction. Returns their ids in order. */
export async function bulkCreate(tables: Tables, caller: Caller, name: string, body: unknown): Promise<string[]> {
  const records = recordsIn(body);
  await takeRoom(tables, name, records.length);
  await grown(tables, caller, name, records);
  return onTable(tables, name, async (table) => {
    if (table.noun) {
      const prepared = await preparedNouns(table, caller, assertFewNouns(table, records.map(asNew)));
      return byVerbs(tables, caller, table, (act) => writeNouns(act, prepared));
    }
    const given = records.map((record) => givenFor(table, caller, record));
    return inOneGo(tables, (writing) => createRows(writing, { table, caller }, given));
  });
}

/** Clients cannot choose the ids of API entities. */
const asNew = ({ objectId: _given, ...record }: WireRecord): WireRecord => record;

/** Creates or changes many objects by id in one transaction. Returns the ids in order. */
export async function bulkUpsert(tables: Tables, caller: Caller, name: string, body: unknown): Promise<string[]> {
  const records = recordsIn(body);
  await takeRoom(tables, name, await newAmong(tables, name, records));
  await grown(tables, caller, name, records);
  return onTable(tables, name, async (table) => {
    if (table.noun) {
      const prepared = await preparedNouns(table, caller, assertFewNouns(table, records));
      return byVerbs(tables, caller, table, (act) => writeNouns(act, prepared));
    }
    const given = records.map((record) => givenFor(table, caller, record));
    return inOneGo(tables, (writing) => upsertRows(writing, { table, caller }, given));
  });
}

/** Counts records without an id or with an unused one. */
async function newAmong({ db, catalogue }: Tables, name: string, records: WireRecord[]): Promise<number> {
  const ids = [...new Set(records.flatMap(({ objectId }) => idIn(objectId) ?? []))];
  await catalogue.config();
  const table = catalogue.known(name);
  if (ids.length === 0 || !table || table.noun) return records.length;
  return records.length - (await countStanding(db, table, ids));
}

/** Changes all objects that match a clause and that the caller may change; returns how many. */
export async function bulkUpdate(tables: Tables, caller: Caller, name: string, where: string, body: unknown): Promise<number> {
  const changes = recordIn(body);
  await takeRoom(tables, name, 0);
  await grown(tables, caller, name, [changes]);
  return onTable(tables, name, (table) => {
    if (table.noun) return byVerbs(tables, caller, table, (act) => changeNouns(act, { where }, changes));
    return inOneGo(tables, (writing) => changeRows(writing, { table, caller }, { where }, givenFor(table, caller, changes)));
  });
}

/**
 * Removes all objects that match a clause and that the caller may remove; returns how many. The clause may
 * list ten thousand ids.
 */
export function bulkDelete(tables: Tables, caller: Caller, name: string, where: string): Promise<number> {
  const ids = idsInLongList(where);
  const which = ids === null ? { where } : { ids };
  return onTable(tables, name, (table) => {
    if (table.noun) return byVerbs(tables, caller, table, (act) => removeNouns(act, which));
    return inOneGo(tables, (writing) => removeRows(writing, { table, caller }, which));
  });
}

const RELATING = { set: setRelation, add: addRelation, delete: deleteRelation };

/**
 * Sets, adds or removes children of an object; returns how many. `relation` may name its target
 * (`kids:Kid:n`): a missing one is created if the schema is dynamic.
 */
export async function relate(
  tables: Tables,
  caller: Caller,
  how: keyof typeof RELATING,
  { table: name, parentId, relation: text, children }: { table: string; parentId: string; relation: string; children: Children },
): Promise<number> {
  const { name: relation, wanted } = parseRelationName(text);
  if (how !== "delete") await takeRoom(tables, name, 0);
  if (how !== "delete" && wanted) await createRelation(tables, caller, name, { ...wanted, name: relation });
  return onTable(tables, name, (table) =>
    inOneGo(tables, (writing) => RELATING[how](writing, { table, caller, parentId, relation, children })),
  );
}

/** Grants or denies one action on one object. */
export async function permit(
  tables: Tables,
  caller: Caller,
  { table: name, objectId, allowed, body }: { table: string; objectId: string; allowed: boolean; body: unknown },
): Promise<void> {
  const isFirst = await onTable(tables, name, (table) =>
    tables.inTransaction((tx) => setGrant(tx, { table, caller, objectId, allowed, body })),
  );
  if (isFirst) tables.catalogue.forget();
}

const MOST_PERMISSIONS = 100;

/** Sets several permissions of one object in one transaction, each like `setObjectPermission`. */
export async function permitMany(
  tables: Tables,
  caller: Caller,
  { table: name, objectId, allowed, body }: { table: string; objectId: string; allowed: boolean; body: unknown },
): Promise<void> {
  const permissions = Array.isArray(body) ? (body as unknown[]) : [];
  if (permissions.length === 0) throw badRequest("Permissions come as a list of { permission, user } or { permission, role }.");
  if (permissions.length > MOST_PERMISSIONS) throw tooMuch(`One call can set ${MOST_PERMISSIONS} permissions.`);
  const changed = await onTable(tables, name, (table) =>
    tables.inTransaction(async (tx) => {
      let isFirst = false;
      for (const permission of permissions)
        isFirst = (await setGrant(tx, { table, caller, objectId, allowed, body: permission })) || isFirst;
      return isFirst;
    }),
  );
  if (changed) tables.catalogue.forget();
}

/**
 * The current columns and relations of a table.
 * @throws 1009 for an unknown table, 1011 without access
 */
export async function describeTable(tables: Tables, caller: Caller, name: string): Promise<Described[]> {
  await tables.catalogue.isBehind();
  return onTable(tables, name, async (table) => {
    assertMay(table, caller, "find");
    return describe(table, caller);
  });
}

/**
 * Checks that the caller may create objects in a table, whatever their content; with `changes` also that they
 * may change some.
 * @throws 1011, 1009 for an unknown table that would not be created, and the refusal of a read-only API
 * entity
 */
export async function assertMayAdd({ catalogue }: Tables, caller: Caller, name: string, changes: boolean): Promise<void> {
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  const grows = dynamicSchema && (caller.server || caller.userId !== null || defaultAccess === "open");
  const table = catalogue.known(name) ?? (grows ? null : await catalogue.table(name));
  if (!table || (changes && isAllowed(table, caller, "update"))) return;
  if (table.noun && !table.noun.create) throw noSuchAct(table.noun, "create");
  assertMay(table, caller, "create");
}

/**
 * The name of the table with this id.
 * @throws 1009
 */
export async function tableNameOf({ catalogue }: Tables, id: string): Promise<string> {
  const named = async () => (await catalogue.all()).find((it) => it.id === id);
  const table = (await named()) ?? ((await catalogue.isBehind()) ? await named() : undefined);
  if (!table) throw noSuchTable(id);
  return table.name;
}
