import { msg } from "#platform/messages";
import { z } from "zod";
import { type Db, many, run, sql, type Tx } from "#platform/database";
import { beginSchemaChange, getEntityTableForChange } from "../catalogue/table-ddl.ts";
import { parseWith } from "../catalogue/table-schemas.ts";
import type { Caller, Table } from "../catalogue/types.ts";
import { badRequest, objectNotFound, notPermittedToGrant, dataTooLarge } from "../data-errors.ts";
import { idInSql } from "../query/query-sources.ts";
import { tableSql } from "../writes/write-context.ts";
import {
  type ObjectGrant,
  canAccessAll,
  canGrant,
  allowedRowsSql,
  getStoredTableId,
} from "./row-permissions.ts";

/** Maximum grants and denials of one object. */
const MAX_GRANTS = 1_000;

export const ObjectPermission = z
  .object({
    permission: z.enum(["FIND", "UPDATE", "REMOVE"]),
    user: z.string().min(1).max(250).optional(),
    role: z.string().min(1).max(100).optional(),
  })
  .refine(
    ({ user, role }) => (user === undefined) !== (role === undefined),
    "A permission must name a user or a role.",
  );

/**
 * Grants or denies an action on one object to a user, a role, or everyone (`*`). The owner of the object and
 * the server key may do this. Returns true for the first grant of a table, which changes the catalogue.
 * @throws 1000 if the caller cannot find the object, 1011 if they do not own it or do not have the
 * permission themselves
 */
export async function setObjectGrant(
  tx: Tx,
  {
    table,
    caller,
    objectId,
    allowed,
    body,
  }: { table: Table; caller: Caller; objectId: string; allowed: boolean; body: unknown },
): Promise<boolean> {
  if (table.entity && !table.entity.extension) throw permissionsNotSupported(table);
  const { permission, user, role } = parseWith(ObjectPermission, body);
  const { isFirst } = await assertCanGrant(tx, table, caller, objectId);
  if (allowed && !canGrant(table, caller, permission)) throw notPermittedToGrant();
  const [kind, subject] = user === undefined ? ["role", role!] : ["user", user];
  // The cached catalogue may not contain the first grant of a table yet.
  const changes = isFirst || !table.hasGrants;
  if (changes) await beginSchemaChange(tx);
  const tableId = table.entity ? (await getEntityTableForChange(tx, table.name)).id : table.id;
  await run(
    tx,
    sql`
      insert into data_grants (table_id, object_id, act, kind, subject, allowed)
      values (${tableId}, ${objectId}, ${permission}, ${kind}, ${subject}, ${allowed})
      on conflict (table_id, object_id, act, kind, subject) do update set allowed = excluded.allowed`,
  );
  return changes;
}

/** Lists grants and denials of finding these objects. Makes no query if the table has none. */
export async function listFindGrants(
  { db }: { db: Db },
  table: Table,
  ids: string[],
): Promise<Map<string, ObjectGrant[]>> {
  const grants = new Map<string, ObjectGrant[]>();
  if (!table.hasGrants || ids.length === 0) return grants;
  const rows = await many(
    db,
    sql<ObjectGrant & { id: string }>`
      select object_id as id, kind, subject, allowed from data_grants
      where table_id = ${getStoredTableId(table)} and object_id = any(${ids}) and act = 'FIND'`,
  );
  for (const { id, ...grant } of rows) grants.set(id, [...(grants.get(id) ?? []), grant]);
  return grants;
}

/**
 * Lists denials of finding any object of a table. A caller to whom a denial applies cannot find every row.
 */
export const listDenials = async ({ db }: { db: Db }, table: Table): Promise<ObjectGrant[]> =>
  table.hasGrants
    ? many(
        db,
        sql<ObjectGrant>`select distinct kind, subject, allowed from data_grants
          where table_id = ${getStoredTableId(table)} and act = 'FIND' and not allowed`,
      )
    : [];

const permissionsNotSupported = ({ name, entity }: Table) => {
  const instead = entity!.hosted
    ? "KITH_API_DEFAULTS=hosted allows this call."
    : "Store objects that need permissions of their own in a data table.";
  return badRequest(
    msg("Permissions of single objects of ''{name}'' cannot be set: the community's rules apply. {instead}", {
      name,
      instead,
    }),
  );
};

async function assertCanGrant(tx: Tx, table: Table, caller: Caller, objectId: string) {
  // With open access, a denial of FIND does not hide the object here, so that the caller can revoke the
  // denial.
  const open = table.open && canAccessAll(table, caller, "find");
  const found = table.entity
    ? table.entity.visible(caller, "t")
    : open
      ? sql`true`
      : allowedRowsSql(table, caller, "FIND", "t");
  const tableId = sql`(select id from data_tables where name = ${table.name})`;
  const [row] = await many(
    tx,
    sql<{ owner: string | null; grants: number; isFirst: boolean }>`
      select t.owner_id::text as owner, not exists (select from data_grants g
        where g.table_id = ${tableId}) as "isFirst",
        (select count(*)::int from data_grants g
          where g.table_id = ${tableId} and g.object_id = ${objectId}) as grants
      from ${tableSql(table)} as t
      where ${idInSql({ table, alias: "t" }, [objectId])}
        and (t.owner_id::text = ${caller.userId} or ${found})
      ${table.entity ? sql`` : sql`for update of t`}`,
  );
  if (!row) throw objectNotFound(objectId);
  if (!caller.server && !table.open && (caller.userId === null || row.owner !== caller.userId))
    throw notPermittedToGrant();
  if (row.grants >= MAX_GRANTS)
    throw dataTooLarge(msg("An object can have at most {count} permissions.", { count: MAX_GRANTS }));
  return row;
}
