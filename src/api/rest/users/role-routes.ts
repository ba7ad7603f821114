import { z } from "zod";
import { findRecordsAmong, withTable, type ApiRecord } from "#baas/data";
import {
  assignRole,
  hasRoleCondition,
  listCustomRoles,
  type ApiUser,
  listApiUsers,
  listRolesOfPerson,
  SYSTEM_ROLES,
  unassignRole,
} from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { sql } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { toTableCaller } from "../data/data-routes.ts";
import { assertServerKey, parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";
import { RoleForm } from "./user-schemas.ts";
import { operatorOr } from "./login-routes.ts";
import { toUserRecord } from "./user-record.ts";

/** Role holders, and role assignment. */
export const roleRoutes: Route[] = [
  { method: "GET", path: "/users/role/:role", handle: findByRole },
  { method: "GET", path: "/users/userroles", handle: async ({ caller }) => caller.roles },
  {
    method: "GET",
    path: "/users/userroles/:id",
    handle: (call) => listRolesOfPerson(call.app.database.db, operatorOr(call), call.params["id"]!),
  },
  { method: "POST", path: "/users/assignRole", handle: (call) => changeRole(call, assignRole) },
  { method: "POST", path: "/users/unassignRole", handle: (call) => changeRole(call, unassignRole) },
];

const RoleQuery = z.object({ loadRoles: z.enum(["true", "false"]).optional() });

/** People with a role, filtered, sorted and shaped like any Users query. */
async function findByRole(call: Call) {
  const { app, params, query } = call;
  const role = params["role"]!;
  const { loadRoles } = parseInput(RoleQuery, query);
  const viewer = operatorOr(call);
  const only = (alias: string) => hasRoleCondition(viewer, role, sql.ref(`${alias}.object_id`));
  // Checked before the role lookup, so that callers without permission cannot tell whether it exists.
  only("t");
  await assertRoleExists(call, role);
  const { records, relations } = await withTable(app.tables, "Users", async (table) => ({
    records: await findRecordsAmong(app.tables, toTableCaller(call), table, query, only),
    relations: [...table.relations.keys()],
  }));
  if (hasCustomShape(query)) return records;
  const users = await listApiUsers(
    app.database.db,
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
    const loaded = relations
      .filter((name) => Object.hasOwn(record, name))
      .map((name) => [name, record[name]]);
    return user
      ? [{ ...Object.fromEntries(loaded), ...formatUser(user, loadRoles === "true", without) }]
      : [];
  });
}

/** Whether the query returns something other than whole users. */
const hasCustomShape = (query: Call["query"]) =>
  query["property"] !== undefined ||
  query["props"] !== undefined ||
  Boolean(query["groupBy"]) ||
  query["distinct"] === "true";

/** A user record without the excluded properties. */
function formatUser(user: ApiUser, withRoles: boolean, without: Set<string>): ApiRecord {
  // Clients expect a list, even an empty one.
  const whole = { ...toUserRecord(user), ...(withRoles && { roles: user.own?.roles ?? [] }) };
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !without.has(name)));
}

async function assertRoleExists({ app }: Call, role: string) {
  if ((SYSTEM_ROLES as readonly string[]).includes(role)) return;
  const own = await listCustomRoles(app.database.db, OPERATOR);
  if (!own.some(({ name }) => name === role))
    throw new Refusal("not-found", msg("Role ''{role}'' does not exist.", { role: role.slice(0, 80) }), {
      kind: "role-not-found",
    });
}

async function changeRole(call: Call, verb: typeof assignRole) {
  assertServerKey(call, "Changing roles needs the server key.", "server-key-for-roles");
  const { user, roleName } = parseInput(RoleForm, call.body);
  await call.app.database.inTransaction((tx) =>
    verb(tx, operatorOr(call), { identity: user, role: roleName }),
  );
}
