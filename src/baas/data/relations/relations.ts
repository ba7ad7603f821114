import { type MessageDescriptor, msg } from "#platform/messages";
import { limit, maybeOne, run, sql } from "#platform/database";
import type { Caller, SqlFragment, Relation, Table } from "../catalogue/types.ts";
import { columnNotFound } from "../clause/clause-errors.ts";
import { badRequest, objectNotFound, dataTooLarge } from "../data-errors.ts";
import { assertAllowed, notPermitted, allowedRowsSql } from "../permissions/row-permissions.ts";
import { createConditionSql } from "../query/index.ts";
import { runQuery } from "../query/run-query.ts";
import { CHILD, idSql, idInSql } from "../query/query-sources.ts";
import { createWriteRefusal } from "../writes/row-writes.ts";
import {
  type RecordEvent,
  omitIfLong,
  tableSql,
  emitBulkChange,
  type WriteContext,
} from "../writes/write-context.ts";

/** Maximum children that one call can relate. */
const MAX_CHILDREN = 10_000;

/** Children selected by ids, whose order is kept, or by a clause. */
export type ChildSelection = { ids: string[] } | { where: string };
type RelationChange = {
  table: Table;
  caller: Caller;
  parentId: string;
  relation: string;
  children: ChildSelection;
};
type LinkTarget = { relation: Relation; links: SqlFragment; child: Table; parentOwner: string | null };

export const getRelation = (table: Table, name: string): Relation => {
  const relation = table.relations.get(name);
  if (!relation) throw columnNotFound(name, table.name);
  return relation;
};

/** Finds the link table of a relation and locks the parent, which the caller must be allowed to change. */
async function lockParent(writing: WriteContext, change: RelationChange): Promise<LinkTarget> {
  const { table, relation: name } = change;
  const relation = getRelation(table, name);
  // All other relations of an API entity can be changed only by its commands.
  if (!("links" in relation.via) || relation.via.links.schema !== "data")
    throw badRequest(
      msg("The relation ''{name}'' of ''{table}'' cannot be changed here. {instead}", {
        name,
        table: table.name,
        instead: instead(table, relation),
      }),
    );
  const parent = await (table.entity ? lockEntityParent(writing, change) : lockDataParent(writing, change));
  const { schema, name: links } = relation.via.links;
  return {
    relation,
    links: sql`${sql.id(schema, links)}`,
    child: await writing.catalogue.table(relation.toTable),
    parentOwner: parent.owner,
  };
}

/** Explains how to change a relation that these calls cannot change. */
function instead(table: Table, { via, toTable }: Relation): MessageDescriptor {
  if ("links" in via)
    return msg("Call a service of ''{table}'': /api/docs lists them.", { table: table.name });
  const holder = "childColumn" in via ? toTable : table.name;
  return msg("It is derived from ''{holder}'': save an object there, or call a service of ''{holder}''.", {
    holder,
  });
}

type ParentRow = { owner: string | null };

async function lockDataParent(
  writing: WriteContext,
  { table, caller, parentId }: RelationChange,
): Promise<ParentRow> {
  assertAllowed(table, caller, "update");
  const parent = await maybeOne(
    writing.db,
    sql<ParentRow>`
      select r.owner_id as owner from ${tableSql(table)} as r
      where r.object_id = ${parentId} and ${allowedRowsSql(table, caller, "UPDATE", "r")} for update of r`,
  );
  if (!parent) throw await createWriteRefusal(writing, table, caller, "update", parentId);
  return parent;
}

/**
 * Locks a parent that is an API entity. It may be changed by its owner, by callers with the server key and,
 * with open access, by everyone who can find it.
 */
async function lockEntityParent(
  writing: WriteContext,
  { table, caller, parentId }: RelationChange,
): Promise<ParentRow> {
  const selection = idInSql({ table, alias: "t" }, [parentId]);
  const row = await maybeOne(
    writing.db,
    sql<ParentRow & { changeable: boolean }>`
      select t.owner_id::text as owner, (${allowedRowsSql(table, caller, "UPDATE", "t")}) as changeable
      from ${tableSql(table)} as t where ${selection} and (${allowedRowsSql(table, caller, "FIND", "t")})`,
  );
  if (!row) throw objectNotFound(parentId);
  const may = caller.server || table.open || (caller.userId !== null && row.owner === caller.userId);
  if (!may || !row.changeable) throw notPermitted(table, "update");
  return row;
}

/**
 * Selects children that the caller may find, in order, and locks them until the end of the transaction.
 * Missing ones are skipped.
 */
async function selectChildren(
  writing: WriteContext,
  caller: Caller,
  child: Table,
  children: ChildSelection,
): Promise<string[]> {
  const source = { table: child, alias: CHILD };
  const ids = "ids" in children ? assertFewChildren([...new Set(children.ids)]) : null;
  const selection =
    "where" in children
      ? await createConditionSql(writing, child, caller, CHILD, children.where)
      : idInSql(source, ids!);
  const rows = await runQuery<{ id: string }>(
    writing,
    sql`
      select ${idSql(source)}::text as id from ${tableSql(child)} as ${sql.id(CHILD)}
      where ${selection} and (${allowedRowsSql(child, caller, "FIND", CHILD)})
      order by ${sql.id(CHILD, child.columns.get("created")!.sqlName)},
        ${idSql(source)} ${limit(MAX_CHILDREN + 1)}
      ${child.entity ? sql`` : sql`for key share of ${sql.id(CHILD)}`}`,
  );
  const found = assertFewChildren(rows.map((row) => row.id));
  if (ids === null) return found;
  const standing = new Set(found);
  return ids.filter((it) => standing.has(it));
}

function assertFewChildren(ids: string[]): string[] {
  if (ids.length > MAX_CHILDREN)
    throw dataTooLarge(msg("One call can relate at most {count} objects.", { count: MAX_CHILDREN }));
  return ids;
}

/** Replaces all children; returns how many there are now. A relation to one object keeps only the last. */
export async function setRelation(writing: WriteContext, change: RelationChange): Promise<number> {
  const parent = await lockParent(writing, change);
  const ids = await selectChildren(writing, change.caller, parent.child, change.children);
  const linkedIds = parent.relation.kind === "ONE_TO_ONE" ? ids.slice(-1) : ids;
  await run(
    writing.db,
    sql`delete from ${parent.links} where parent = ${change.parentId} and child <> all(${linkedIds}::text[])`,
  );
  await insertLinks(writing, parent, change.parentId, linkedIds);
  await emitRelationChange(writing, change, parent, "relation.set");
  return linkedIds.length;
}

/**
 * Adds children; returns how many are new. In a relation to one object the new child replaces the old one.
 */
export async function addRelation(writing: WriteContext, change: RelationChange): Promise<number> {
  const parent = await lockParent(writing, change);
  const ids = await selectChildren(writing, change.caller, parent.child, change.children);
  const one = parent.relation.kind === "ONE_TO_ONE" && ids.length > 0;
  const linkedIds = one ? ids.slice(-1) : ids;
  if (one)
    await run(
      writing.db,
      sql`delete from ${parent.links} where parent = ${change.parentId} and child <> all(${linkedIds}::text[])`,
    );
  const count = await insertLinks(writing, parent, change.parentId, linkedIds);
  await emitRelationChange(writing, change, parent, "relation.added");
  return count;
}

/** Removes children; returns how many were related. */
export async function deleteRelation(writing: WriteContext, change: RelationChange): Promise<number> {
  const parent = await lockParent(writing, change);
  const ids = await selectChildren(writing, change.caller, parent.child, change.children);
  const count = await run(
    writing.db,
    sql`delete from ${parent.links} where parent = ${change.parentId} and child = any(${ids}::text[])`,
  );
  await emitRelationChange(writing, change, parent, "relation.deleted");
  return count;
}

const insertLinks = (
  writing: WriteContext,
  { links }: LinkTarget,
  parentId: string,
  ids: string[],
): Promise<number> =>
  ids.length === 0
    ? Promise.resolve(0)
    : run(
        writing.db,
        sql`
          insert into ${links} (parent, child)
          select ${parentId}, it.id from unnest(${ids}::text[]) with ordinality as it (id, n) order by it.n
          on conflict (parent, child) do nothing`,
      );

function emitRelationChange(
  writing: WriteContext,
  { table, caller, relation, parentId, children }: RelationChange,
  { parentOwner }: LinkTarget,
  event: RecordEvent,
): Promise<void> {
  const conditional = "where" in children;
  const whole = {
    whereClause: conditional ? children.where : null,
    children: conditional ? null : children.ids,
  };
  const about = {
    relation,
    parentId,
    parentOwner,
    conditional,
    whereClause: whole.whereClause === null ? null : omitIfLong(whole.whereClause),
    children: whole.children === null ? null : omitIfLong(JSON.stringify(whole.children)),
  };
  return emitBulkChange(writing, table, caller, event, about, whole);
}
