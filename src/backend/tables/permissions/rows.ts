import { sql } from "#platform/database";
import type { Caller, Fragment, ObjectAct, Table, TableAct } from "../catalogue/types.ts";
import { TableFault } from "../faults.ts";

/** The role that people have towards rows they made. */
export const OWNER = "Owner";
const SIGNED_IN = "AuthenticatedUser";
const NOT_ALLOWED = 1011;

const ACTS = { FIND: "find", UPDATE: "update", REMOVE: "remove" } as const satisfies Record<ObjectAct, TableAct>;

/** Unless somebody has set it otherwise: who is signed in reads and adds, and changes and removes what is their own. */
const byDefault = ({ open }: Table, role: string, act: TableAct) =>
  open || role === OWNER || (role === SIGNED_IN && (act === "find" || act === "create"));

const roleMay = (table: Table, role: string, act: TableAct) => table.access.get(role)?.[act] ?? byDefault(table, role, act);

/** Whether a caller may do this to every row, by their roles alone. Of several roles, one that allows it is enough. */
export const mayAll = (table: Table, caller: Caller, act: TableAct): boolean =>
  caller.server || caller.roles.some((role) => roleMay(table, role, act));

/** Whether a caller finds every row of a table of programs, whatever was granted for one of them. */
export const seesAll = (table: Table, caller: Caller): boolean =>
  table.noun === undefined && (caller.server || (mayAll(table, caller, "find") && !table.hasGrants));

const mayOwn = (table: Table, caller: Caller, act: TableAct): boolean => caller.userId !== null && roleMay(table, OWNER, act);

/** Whether whose object it is may give this to others, and to themselves: what roles have not given them is not theirs to give. */
export const mayGive = (table: Table, caller: Caller, act: ObjectAct): boolean =>
  mayAll(table, caller, ACTS[act]) || mayOwn(table, caller, ACTS[act]);

/** Throws 1011 unless the caller may do this to some row at least; which ones, `rowsFor` says. */
export function assertMay(table: Table, caller: Caller, act: TableAct): void {
  if (!isAllowed(table, caller, act)) throw notPermitted(table, act);
}

export const isAllowed = (table: Table, caller: Caller, act: TableAct): boolean =>
  table.noun !== undefined || mayAll(table, caller, act) || (act !== "create" && (table.hasGrants || mayOwn(table, caller, act)));

export const notPermitted = (table: Table, act: TableAct) =>
  new TableFault(NOT_ALLOWED, `You are not allowed to ${act} objects of the table '${table.name}'.`, "not-allowed");

/** What grants of objects of a table refer to. */
export const storedIdOf = ({ id, storedId }: Table): string => storedId ?? id;

/** What somebody (`*`: everybody) was granted or denied for one object. */
export type Grant = { kind: "user" | "role"; subject: string; allowed: boolean };

/** What was granted and denied for finding one object, as a value of another statement: a list of `Grant`. */
export const grantsSql = (table: Table, objectId: string): Fragment => sql`(
  select coalesce(json_agg(json_build_object('kind', g.kind, 'subject', g.subject, 'allowed', g.allowed)), '[]') from data_grants g
  where g.table_id = ${storedIdOf(table)} and g.object_id = ${objectId} and g.act = 'FIND')`;

/**
 * Whether the caller may find a row of this owner, for which this was granted and denied: what `rowsFor` says of rows that lie in the
 * database, of one that is at hand, or that is there no more.
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
 * The condition on rows of a table under this alias to which the caller may do this. Always a part of what is read, also of
 * tables that a condition only passes through. What is granted or denied for one object goes before what roles may: first for
 * the user, then for their roles, then for everybody; a denial before a grant. The server's key is bound by none of it. What the
 * caller may not find, they can neither change nor remove: nothing is found out by trying.
 */
export function rowsFor(table: Table, caller: Caller, act: ObjectAct, alias: string): Fragment {
  if (table.noun) {
    const seen = act === "FIND" ? table.noun.visible(caller, alias) : sql`true`;
    // What is published is never more than its owner shows, whatever is granted: only denials count.
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

/** What was granted or denied to the caller for the row under this alias; `base` where nothing was. */
function granted(table: Table, caller: Caller, act: ObjectAct, alias: string, base: Fragment): Fragment {
  return sql`coalesce((
    select g.allowed from data_grants g
    where g.table_id = ${storedIdOf(table)} and g.object_id = ${sql.ref(`${alias}.object_id`)}::text and g.act = ${act} and (
      (g.kind = 'user' and (g.subject = '*' or g.subject = ${caller.userId}))
      or (g.kind = 'role' and (g.subject = '*' or g.subject = any(${caller.roles}))))
    order by case when g.subject = '*' then 2 when g.kind = 'role' then 1 else 0 end, g.allowed
    limit 1), ${base})`;
}
