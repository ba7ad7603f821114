import { msg } from "#platform/messages";
import type { Caller } from "./catalogue/types.ts";
import { badRequest, dataTooLarge } from "./data-errors.ts";
import { setObjectGrant } from "./permissions/object-grants.ts";
import { assertAllowed, isAllowed } from "./permissions/row-permissions.ts";
import { withTable, type DataTables } from "./data-tables.ts";
import { entityActionMissing } from "./writes/entity-writes.ts";

/** Grants or denies one action on one object. */
export async function setObjectPermission(
  tables: DataTables,
  caller: Caller,
  {
    table: name,
    objectId,
    allowed,
    body,
  }: { table: string; objectId: string; allowed: boolean; body: unknown },
): Promise<void> {
  const isFirst = await withTable(tables, name, (table) =>
    tables.inTransaction((tx) => setObjectGrant(tx, { table, caller, objectId, allowed, body })),
  );
  if (isFirst) tables.catalogue.forget();
}

const MAX_PERMISSIONS = 100;

/** Sets several permissions of one object in one transaction, each like `setObjectPermission`. */
export async function setObjectPermissions(
  tables: DataTables,
  caller: Caller,
  {
    table: name,
    objectId,
    allowed,
    body,
  }: { table: string; objectId: string; allowed: boolean; body: unknown },
): Promise<void> {
  const permissions = Array.isArray(body) ? (body as unknown[]) : [];
  if (permissions.length === 0)
    throw badRequest("Permissions must be a list of { permission, user } or { permission, role }.");
  if (permissions.length > MAX_PERMISSIONS)
    throw dataTooLarge(msg("One call can set at most {count} permissions.", { count: MAX_PERMISSIONS }));
  const changed = await withTable(tables, name, (table) =>
    tables.inTransaction(async (tx) => {
      let isFirst = false;
      for (const permission of permissions)
        isFirst =
          (await setObjectGrant(tx, { table, caller, objectId, allowed, body: permission })) || isFirst;
      return isFirst;
    }),
  );
  if (changed) tables.catalogue.forget();
}

/**
 * Checks that the caller may create objects in a table, whatever their content. With `changes`, being
 * allowed to change objects suffices.
 * @throws 1011, 1009 for an unknown table that would not be created, and the refusal of a read-only API
 * entity
 */
export async function assertCanCreate(
  { catalogue }: DataTables,
  caller: Caller,
  name: string,
  changes: boolean,
): Promise<void> {
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  const grows = dynamicSchema && (caller.server || caller.userId !== null || defaultAccess === "open");
  const table = catalogue.known(name) ?? (grows ? null : await catalogue.table(name));
  if (!table || (changes && isAllowed(table, caller, "update"))) return;
  if (table.entity && !table.entity.create) throw entityActionMissing(table.entity, "create");
  assertAllowed(table, caller, "create");
}
