import { z } from "zod";
import { findAmong, onTable, type WireRecord } from "#backend/tables";
import { giveRole, hasRole, ownRoles, type ProgramUser, programUsers, rolesOf, SYSTEM_ROLES, takeRole } from "#community/people";
import { OPERATOR } from "#community/rules";
import { sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { asTableCaller } from "../data.ts";
import { assertServerKey, parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { RoleForm } from "./forms.ts";
import { operatorOf } from "./login.ts";
import { userRecord } from "./record.ts";

/** Role holders, and role assignment. */
export const roleRoutes: Route[] = [
  { method: "GET", path: "/users/role/:role", handle: findByRole },
  { method: "GET", path: "/users/userroles", handle: async ({ caller }) => caller.roles },
  {
    method: "GET",
    path: "/users/userroles/:id",
    handle: (call) => rolesOf(call.house.database.db, operatorOf(call), call.params["id"]!),
  },
  { method: "POST", path: "/users/assignRole", handle: (call) => change(call, giveRole) },
  { method: "POST", path: "/users/unassignRole", handle: (call) => change(call, takeRole) },
];

const LoadRoles = z.object({ loadRoles: z.enum(["true", "false"]).optional() });

/** People with a role, filtered, sorted and shaped like any Users query. */
async function findByRole(call: Call) {
  const { house, params, query } = call;
  const role = params["role"]!;
  const { loadRoles } = parsed(LoadRoles, query);
  const viewer = operatorOf(call);
  const only = (alias: string) => hasRole(viewer, role, sql.ref(`${alias}.object_id`));
  // Checked before the role lookup, so that callers without permission cannot tell whether it exists.
  only("t");
  await assertRole(call, role);
  const { records, relations } = await onTable(house.tables, "Users", async (table) => ({
    records: await findAmong(house.tables, asTableCaller(call), table, query, only),
    relations: [...table.relations.keys()],
  }));
  if (isShaped(query)) return records;
  const users = await programUsers(
    house.database.db,
    viewer,
    records.map((it) => String(it["objectId"])),
  );
  const without = new Set(
    String(query["excludeProps"] ?? "")
      .split(",")
      .map((name) => name.trim()),
  );
  return records.flatMap((record) => {
    const user = users.get(String(record["objectId"]));
    const loaded = relations.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]);
    return user ? [{ ...Object.fromEntries(loaded), ...asUser(user, loadRoles === "true", without) }] : [];
  });
}

/** Whether the query returns something other than whole users. */
const isShaped = (query: Call["query"]) =>
  query["property"] !== undefined || query["props"] !== undefined || Boolean(query["groupBy"]) || query["distinct"] === "true";

/** A user record without the excluded properties. */
function asUser(user: ProgramUser, withRoles: boolean, without: Set<string>): WireRecord {
  // Clients expect a list, even an empty one.
  const whole = { ...userRecord(user), ...(withRoles && { roles: user.own?.roles ?? [] }) };
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !without.has(name)));
}

async function assertRole({ house }: Call, role: string) {
  if ((SYSTEM_ROLES as readonly string[]).includes(role)) return;
  const own = await ownRoles(house.database.db, OPERATOR);
  if (!own.some(({ name }) => name === role))
    throw new Refusal("not-found", `Role '${role.slice(0, 80)}' does not exist.`, { kind: "role-not-found" });
}

async function change(call: Call, verb: typeof giveRole) {
  assertServerKey(call, "Roles are given and taken by programs with the server key.", "server-key-for-roles");
  const { user, roleName } = parsed(RoleForm, call.body);
  await call.house.database.inTransaction((tx) => verb(tx, operatorOf(call), { identity: user, role: roleName }));
}
