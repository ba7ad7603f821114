import { msg } from "#platform/messages";
import { sql } from "#platform/database";
import type { Caller, SqlFragment, ObjectAction, Table, TableAction } from "../catalogue/types.ts";
import { TableFault } from "../data-errors.ts";

/** The role of people for rows they created. */
export const OWNER_ROLE = "Owner";
const SIGNED_IN_ROLE = "AuthenticatedUser";
const NOT_ALLOWED_CODE = 1011;

const TABLE_ACTIONS = { FIND: "find", UPDATE: "update", REMOVE: "remove" } as const satisfies Record<
  ObjectAction,
  TableAction
>;

/** Default permissions: members read and create rows, and change and remove their own. */
const isAllowedByDefault = ({ open }: Table, role: string, action: TableAction) =>
  open || role === OWNER_ROLE || (role === SIGNED_IN_ROLE && (action === "find" || action === "create"));

const isRoleAllowed = (table: Table, role: string, action: TableAction) =>
  table.access.get(role)?.[action] ?? isAllowedByDefault(table, role, action);

const isClosedTo = (table: Table, caller: Caller): boolean =>
  caller.entitiesOnly === true && table.entity === undefined;

/** Whether a caller's roles allow the action on every row. One such role suffices. */
export const canAccessAll = (table: Table, caller: Caller, action: TableAction): boolean =>
  caller.server ||
  (!isClosedTo(table, caller) && caller.roles.some((role) => isRoleAllowed(table, role, action)));

/** Whether a caller can find every row of a data table, whatever the grants of single objects. */
export const canFindAll = (table: Table, caller: Caller): boolean =>
  table.entity === undefined && (caller.server || (canAccessAll(table, caller, "find") && !table.hasGrants));

const canAccessOwn = (table: Table, caller: Caller, action: TableAction): boolean =>
  caller.userId !== null && !isClosedTo(table, caller) && isRoleAllowed(table, OWNER_ROLE, action);

/** Whether an owner may grant this action. The owner's own roles must allow the action. */
export const canGrant = (table: Table, caller: Caller, action: ObjectAction): boolean =>
  canAccessAll(table, caller, TABLE_ACTIONS[action]) || canAccessOwn(table, caller, TABLE_ACTIONS[action]);

/**
 * Checks that the caller may perform the action on at least some rows; `allowedRowsSql` selects them.
 * @throws 1011
 */
export function assertAllowed(table: Table, caller: Caller, action: TableAction): void {
  if (!isAllowed(table, caller, action)) throw notPermitted(table, action);
}

export const isAllowed = (table: Table, caller: Caller, action: TableAction): boolean =>
  table.entity !== undefined ||
  canAccessAll(table, caller, action) ||
  (action !== "create" &&
    !isClosedTo(table, caller) &&
    (table.hasGrants || canAccessOwn(table, caller, action)));

export const notPermitted = (table: Table, action: TableAction) =>
  new TableFault(
    NOT_ALLOWED_CODE,
    msg("You are not allowed to {action} objects of the table ''{table}''.", { action, table: table.name }),
    "not-allowed",
  );

/** The table id that object grants refer to. */
export const getStoredTableId = ({ id, storedId }: Table): string => storedId ?? id;

/** A grant or denial for one object; subject `*` means everyone. */
export type ObjectGrant = { kind: "user" | "role"; subject: string; allowed: boolean };

/** SQL that returns the grants and denials of finding one object, as a JSON list of `ObjectGrant`. */
export const grantsSql = (table: Table, objectId: string): SqlFragment => sql`(
  select coalesce(json_agg(json_build_object('kind', g.kind, 'subject', g.subject, 'allowed', g.allowed)),
    '[]') from data_grants g
  where g.table_id = ${getStoredTableId(table)} and g.object_id = ${objectId} and g.act = 'FIND')`;

/**
 * Whether the caller may find a row with this owner and these grants. Same rule as `allowedRowsSql`, for a
 * row already loaded or deleted.
 */
export function canFindRow(table: Table, caller: Caller, owner: unknown, grants: ObjectGrant[]): boolean {
  if (caller.server) return true;
  if (isClosedTo(table, caller)) return false;
  const concerns = ({ kind, subject }: ObjectGrant) =>
    subject === "*" || (kind === "user" ? subject === caller.userId : caller.roles.includes(subject));
  const [first] = grants
    .filter(concerns)
    .toSorted((a, b) => grantRank(a) - grantRank(b) || Number(a.allowed) - Number(b.allowed));
  return first
    ? first.allowed
    : canAccessAll(table, caller, "find") || (canAccessOwn(table, caller, "find") && owner === caller.userId);
}

const grantRank = ({ kind, subject }: ObjectGrant) => (subject === "*" ? 2 : kind === "role" ? 1 : 0);

/**
 * SQL condition that selects the rows on which the caller may perform the action. Every query includes it,
 * even for tables that a condition uses only as a path to another table. Grants of single objects override
 * roles. Precedence: user, role, everyone; deny wins. The server key is not limited. A row that the caller
 * cannot find can be neither changed nor removed, so that attempts reveal nothing.
 */
export function allowedRowsSql(
  table: Table,
  caller: Caller,
  action: ObjectAction,
  alias: string,
): SqlFragment {
  if (table.entity) {
    const seen = action === "FIND" ? table.entity.visible(caller, alias) : sql`true`;
    // Grants cannot make more rows of an API entity visible, so only denials count.
    return table.hasGrants && !caller.server
      ? sql`(${seen} and ${grantedSql(table, caller, action, alias, sql`true`)})`
      : seen;
  }
  if (caller.server) return sql`true`;
  if (isClosedTo(table, caller)) return sql`false`;
  const may = grantedRowsSql(table, caller, action, alias);
  return action === "FIND" ? may : sql`(${grantedRowsSql(table, caller, "FIND", alias)} and ${may})`;
}

function grantedRowsSql(table: Table, caller: Caller, action: ObjectAction, alias: string): SqlFragment {
  const all = canAccessAll(table, caller, TABLE_ACTIONS[action]);
  if (all && !table.hasGrants) return sql`true`;
  const own = !all && canAccessOwn(table, caller, TABLE_ACTIONS[action]);
  const base: SqlFragment = all
    ? sql`true`
    : own
      ? sql`${sql.ref(`${alias}.owner_id`)} is not distinct from ${caller.userId}`
      : sql`false`;
  if (!table.hasGrants) return base;
  return grantedSql(table, caller, action, alias, base);
}

/**
 * SQL that returns the grant or denial for the caller on the row under `alias`, or `base` if there is none.
 */
function grantedSql(
  table: Table,
  caller: Caller,
  action: ObjectAction,
  alias: string,
  base: SqlFragment,
): SqlFragment {
  return sql`coalesce((
    select g.allowed from data_grants g
    where g.table_id = ${getStoredTableId(table)} and g.object_id = ${sql.ref(`${alias}.object_id`)}::text
      and g.act = ${action} and (
      (g.kind = 'user' and (g.subject = '*' or g.subject = ${caller.userId}))
      or (g.kind = 'role' and (g.subject = '*' or g.subject = any(${caller.roles}))))
    order by case when g.subject = '*' then 2 when g.kind = 'role' then 1 else 0 end, g.allowed
    limit 1), ${base})`;
}
