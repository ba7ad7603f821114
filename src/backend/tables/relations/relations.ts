import { limit, maybeOne, run, sql } from "#platform/database";
import type { Caller, Fragment, Relation, Table } from "../catalogue/types.ts";
import { noColumn } from "../clause/fault.ts";
import { badRequest, noSuchObject, tooMuch } from "../faults.ts";
import { assertMay, notPermitted, rowsFor } from "../permissions/rows.ts";
import { conditionFor } from "../query/index.ts";
import { rowsOf } from "../query/run.ts";
import { CHILD, idSql, oneOfSql } from "../query/sources.ts";
import { whyNot } from "../writes/one.ts";
import { type RecordEvent, shortEnough, tableSql, tellOfMany, type Writing } from "../writes/writing.ts";

/** Children in one call, and those a relation can gain at once. */
const MOST_CHILDREN = 10_000;

/** Children by ids, in this order, or by a clause. */
export type Children = { ids: string[] } | { where: string };
type Act = { table: Table; caller: Caller; parentId: string; relation: string; children: Children };
type Place = { relation: Relation; links: Fragment; child: Table; parentOwner: string | null };

export const relationOf = (table: Table, name: string): Relation => {
  const relation = table.relations.get(name);
  if (!relation) throw noColumn(name, table.name);
  return relation;
};

/** Resolves the link table and locks the parent, which the caller must be allowed to change. */
async function placeFor(writing: Writing, act: Act): Promise<Place> {
  const { table, relation: name } = act;
  const relation = relationOf(table, name);
  // Other relations of an API entity are changed by its commands only.
  if (!("links" in relation.via) || relation.via.links.schema !== "data")
    throw badRequest(`The relation '${name}' of '${table.name}' is not changed here. ${instead(table, relation)}`);
  const parent = await (table.noun ? publishedParent(writing, act) : ownParent(writing, act));
  const { schema, name: links } = relation.via.links;
  return {
    relation,
    links: sql`${sql.id(schema, links)}`,
    child: await writing.catalogue.table(relation.toTable),
    parentOwner: parent.owner,
  };
}

/** How a relation of a published table is changed, which is by no call for relations. */
function instead(table: Table, { via, toTable }: Relation): string {
  if ("links" in via) return `Call a service of '${table.name}': /api/docs lists them.`;
  const holder = "childColumn" in via ? toTable : table.name;
  return `It follows from the columns of '${holder}': save an object there, or call a service of '${holder}'.`;
}

type Parent = { owner: string | null };

async function ownParent(writing: Writing, { table, caller, parentId }: Act): Promise<Parent> {
  assertMay(table, caller, "update");
  const parent = await maybeOne(
    writing.db,
    sql<Parent>`
      select r.owner_id as owner from ${tableSql(table)} as r
      where r.object_id = ${parentId} and ${rowsFor(table, caller, "UPDATE", "r")} for update of r`,
  );
  if (!parent) throw await whyNot(writing, table, caller, "update", parentId);
  return parent;
}

/**
 * Parent in an API entity: allowed to its owner, the server key, and with open access everyone who can find
 * it.
 */
async function publishedParent(writing: Writing, { table, caller, parentId }: Act): Promise<Parent> {
  const meant = oneOfSql({ table, alias: "t" }, [parentId]);
  const row = await maybeOne(
    writing.db,
    sql<Parent & { changeable: boolean }>`
      select t.owner_id::text as owner, (${rowsFor(table, caller, "UPDATE", "t")}) as changeable
      from ${tableSql(table)} as t where ${meant} and (${rowsFor(table, caller, "FIND", "t")})`,
  );
  if (!row) throw noSuchObject(parentId);
  const may = caller.server || table.open || (caller.userId !== null && row.owner === caller.userId);
  if (!may || !row.changeable) throw notPermitted(table, "update");
  return row;
}

/**
 * Children that the caller may find, in order and locked until the end of the transaction. Missing ones are
 * skipped.
 */
async function childrenMeant(writing: Writing, caller: Caller, child: Table, children: Children): Promise<string[]> {
  const place = { table: child, alias: CHILD };
  const ids = "ids" in children ? assertFew([...new Set(children.ids)]) : null;
  const meant = "where" in children ? await conditionFor(writing, child, caller, CHILD, children.where) : oneOfSql(place, ids!);
  const rows = await rowsOf(
    writing,
    sql`
      select ${idSql(place)}::text as id from ${tableSql(child)} as ${sql.id(CHILD)}
      where ${meant} and (${rowsFor(child, caller, "FIND", CHILD)})
      order by ${sql.id(CHILD, child.columns.get("created")!.sqlName)}, ${idSql(place)} ${limit(MOST_CHILDREN + 1)}
      ${child.noun ? sql`` : sql`for key share of ${sql.id(CHILD)}`}`,
  );
  const found = assertFew(rows.map((row) => row["id"] as string));
  if (ids === null) return found;
  const standing = new Set(found);
  return ids.filter((it) => standing.has(it));
}

function assertFew(ids: string[]): string[] {
  if (ids.length > MOST_CHILDREN) throw tooMuch(`One call can relate ${MOST_CHILDREN} objects.`);
  return ids;
}

/** Replaces all children; returns how many there are. A relation to one keeps the last. */
export async function setRelation(writing: Writing, act: Act): Promise<number> {
  const place = await placeFor(writing, act);
  const ids = await childrenMeant(writing, act.caller, place.child, act.children);
  const kept = place.relation.kind === "ONE_TO_ONE" ? ids.slice(-1) : ids;
  await run(writing.db, sql`delete from ${place.links} where parent = ${act.parentId} and child <> all(${kept}::text[])`);
  await link(writing, place, act.parentId, kept);
  await told(writing, act, place, "relation.set");
  return kept.length;
}

/** Adds children; returns how many are new. In a relation to one the new one replaces the old. */
export async function addRelation(writing: Writing, act: Act): Promise<number> {
  const place = await placeFor(writing, act);
  const ids = await childrenMeant(writing, act.caller, place.child, act.children);
  const one = place.relation.kind === "ONE_TO_ONE" && ids.length > 0;
  const kept = one ? ids.slice(-1) : ids;
  if (one) await run(writing.db, sql`delete from ${place.links} where parent = ${act.parentId} and child <> all(${kept}::text[])`);
  const count = await link(writing, place, act.parentId, kept);
  await told(writing, act, place, "relation.added");
  return count;
}

/** Removes children; returns how many were related. */
export async function deleteRelation(writing: Writing, act: Act): Promise<number> {
  const place = await placeFor(writing, act);
  const ids = await childrenMeant(writing, act.caller, place.child, act.children);
  const count = await run(writing.db, sql`delete from ${place.links} where parent = ${act.parentId} and child = any(${ids}::text[])`);
  await told(writing, act, place, "relation.deleted");
  return count;
}

const link = (writing: Writing, { links }: Place, parentId: string, ids: string[]): Promise<number> =>
  ids.length === 0
    ? Promise.resolve(0)
    : run(
        writing.db,
        sql`
          insert into ${links} (parent, child)
          select ${parentId}, it.id from unnest(${ids}::text[]) with ordinality as it (id, n) order by it.n
          on conflict (parent, child) do nothing`,
      );

function told(
  writing: Writing,
  { table, caller, relation, parentId, children }: Act,
  { parentOwner }: Place,
  event: RecordEvent,
): Promise<void> {
  const conditional = "where" in children;
  const whole = { whereClause: conditional ? children.where : null, children: conditional ? null : children.ids };
  const about = {
    relation,
    parentId,
    parentOwner,
    conditional,
    whereClause: whole.whereClause === null ? null : shortEnough(whole.whereClause),
    children: whole.children === null ? null : shortEnough(JSON.stringify(whole.children)),
  };
  return tellOfMany(writing, table, caller, event, about, whole);
}
