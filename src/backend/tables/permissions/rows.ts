import { sql } from "#platform/database";
import type { Caller, Fragment, ObjectAct, Table, TableAct } from "../catalogue/types.ts";
import { TableFault } from "../faults.ts";

/** The role of people for rows they created. */
export const OWNER = "Owner";
const SIGNED_IN = "AuthenticatedUser";
const NOT_ALLOWED = 1011;

const ACTS = { FIND: "find", UPDATE: "update", REMOVE: "remove" } as const satisfies Record<ObjectAct, TableAct>;

/** The default: members read and create, and change and remove their own rows. */
const byDefault = ({ open }: Table, role: string, act: TableAct) =>
  open || role === OWNER || (role === SIGNED_IN && (act === "find" || act === "create"));

const roleMay = (table: Table, role: string, act: TableAct) => table.access.get(role)?.[act] ?? byDefault(table, role, act);

/** Whether the roles of a caller allow the action on every row. Of several roles one suffices. */
export const mayAll = (table: Table, caller: Caller, act: TableAct): boolean =>
  caller.server || caller.roles.some((role) => roleMay(table, role, act));

/** Whether a caller finds every row of a data table, whatever the grants of single objects. */
export const seesAll = (table: Table, caller: Caller): boolean =>
  table.noun === undefined && (caller.server || (mayAll(table, caller, "find") && !table.hasGrants));

const mayOwn = (table: Table, caller: Caller, act: TableAct): boolean => caller.userId !== null && roleMay(table, OWNER, act);

/** Whether an owner may grant this action: only if their own roles allow it. */
export const mayGive = (table: Table, caller: Caller, act: ObjectAct): boolean =>
  mayAll(table, caller, ACTS[act]) || mayOwn(table, caller, ACTS[act]);

/** @throws 1011 unless the caller may do this to at least some rows; `allowedRowsSql` says which */
export function assertMay(table: Table, caller: Caller, act: TableAct): void {
  if (!isAllowed(table, caller, act)) throw notPermitted(table, act);
}

export const isAllowed = (table: Table, caller: Caller, act: TableAct): boolean =>
  table.noun !== undefined || mayAll(table, caller, act) || (act !== "create" && (table.hasGrants || mayOwn(table, caller, act)));

export const notPermitted = (table: Table, act: TableAct) =>
  new TableFault(NOT_ALLOWED, `You are not allowed to ${act} objects of the table '${table.name}'.`, "not-allowed");

/** The table id that object grants refer to. */
export const storedIdOf = ({ id, storedId }: Table): string => storedId ?? id;

/** A grant or denial for one object; subject `*` means everyone. */
export type Grant = { kind: "user" | "role"; subject: string; allowed: boolean };

/** SQL: grants and denials of finding one object, as a JSON list of `ObjectGrant`. */
export const grantsSql = (table: Table, objectId: string): Fragment => sql`(
  select coalesce(json_agg(json_build_object('kind', g.kind, 'subject', g.subject, 'allowed', g.allowed)), '[]') from data_grants g
  where g.table_id = ${storedIdOf(table)} and g.object_id = ${objectId} and g.act = 'FIND')`;

/**
 * Whether the caller may find a row with this owner and these grants: the same rule as `allowedRowsSql`, for
 * a row at hand or a deleted one.
 */
export function findsRow(table: Table, caller: Caller, owner: unknown, grants: Grant[]): boolean {
  if (caller.server) return true;
  const concerns = ({ kind, subject }: Grant) =>
    subject === "*" || (kind === "user" ? subject === caller.userId : caller.roles.includes(subject));
  const [first] = grants.filter(concerns).toSorted((a, b) => rankOf(a) - rankOf(b) || Number(a.allowed) - Number(b.allowed));
  return first ? first.allowed : mayAll(table, caller, "find") || (mayOwn(table, caller, "find") && owner === caller.userId);
}

const rankOf = ({ kind, subject }: Grant) => (subject === "*" ? 2 : kind === "role" ? 1 : 0);

/**
 * SQL condition on the rows that the caller may use this way; part of every query, also for tables a
 * condition only passes through. Grants of single objects override roles. Precedence: user, role, everyone;
 * deny wins. The server key is not limited. Rows that cannot be found can be neither changed nor removed, so
 * that trying reveals nothing.
 */
export function rowsFor(table: Table, caller: Caller, act: ObjectAct, alias: string): Fragment {
  if (table.noun) {
    const seen = act === "FIND" ? table.noun.visible(caller, alias) : sql`true`;
    // Grants cannot widen the visibility of an API entity; only denials count.
    return table.hasGrants && !caller.server ? sql`(${seen} and ${granted(table, caller, act, alias, sql`true`)})` : seen;
  }
  if (caller.server) return sql`true`;
  const may = rowsWith(table, caller, act, alias);
  return act === "FIND" ? may : sql`(${rowsWith(table, caller, "FIND", alias)} and ${may})`;
}

function rowsWith(table: Table, caller: Caller, act: ObjectAct, alias: string): Fragment {
  const all = mayAll(table, caller, ACTS[act]);
  if (all && !table.hasGrants) return sql`true`;
  const own = !all && mayOwn(table, caller, ACTS[act]);
  const base: Fragment = all ? sql`true` : own ? sql`${sql.ref(`${alias}.owner_id`)} is not distinct from ${caller.userId}` : sql`false`;
  if (!table.hasGrants) return base;
  return granted(table, caller, act, alias, base);
}

/** SQL: the grant or denial for the caller on the row under this alias, else `base`. */
function granted(table: Table, caller: Caller, act: ObjectAct, alias: string, base: Fragment): Fragment {
  return sql`coalesce((
    select g.allowed from data_grants g
    where g.table_id = ${storedIdOf(table)} and g.object_id = ${sql.ref(`${alias}.object_id`)}::text and g.act = ${act} and (
      (g.kind = 'user' and (g.subject = '*' or g.subject = ${caller.userId}))
      or (g.kind = 'role' and (g.subject = '*' or g.subject = any(${caller.roles}))))
    order by case when g.subject = '*' then 2 when g.kind = 'role' then 1 else 0 end, g.allowed
    limit 1), ${base})`;
}
