import { z } from "zod";
import { findRecordsAmong, QueryParams, withTable, type ApiRecord } from "#baas/data";
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
import { defineEndpoint, parsedByHandler, type Permission, serverKeyOnly } from "../endpoint.ts";
import { parseInput } from "../parse-input.ts";
import type { Call } from "../rest-route.ts";
import { NameList } from "../shapes.ts";
import { RoleForm, UserRecord } from "./user-schemas.ts";
import { findActingViewer } from "./login-routes.ts";
import { toUserRecord } from "./user-record.ts";

const ROLE_KEY = serverKeyOnly("Changing roles needs the server key.", "server-key-for-roles", {
  status: 400,
  code: 2011,
});
const ROLE_HOLDER: Permission = {
  name: "the user, admins, and the server key",
  caller: "member",
  refusal: { status: 400, code: 1000 },
};
const ROLE_READER: Permission = {
  name: "members for the role AuthenticatedUser, admins and the server key for all roles",
  caller: "server key",
  refusal: { status: 401, code: 401 },
};

const RoleQuery = z.object({ loadRoles: z.enum(["true", "false"]).optional() });
const RoleQueryParams = parsedByHandler(QueryParams.extend(RoleQuery.shape));
const roleExample = { user: "mira@example.org", roleName: "Gardener" };

/** Endpoints to list the people with a role, and to assign roles. */
export const roleEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/users/role/:role",
    summary: "Returns the users with a role, as far as the directory shows them.",
    permission: ROLE_READER,
    query: RoleQueryParams,
    response: z.array(UserRecord.partial()),
    example: { params: { role: "Gardener" }, query: { loadRoles: "true" } },
    handle: findByRole,
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/userroles",
    summary: "Returns the roles of the caller.",
    response: NameList,
    handle: async ({ caller }) => caller.roles,
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/userroles/:id",
    summary: "Returns the roles of a user.",
    permission: ROLE_HOLDER,
    response: NameList,
    example: { params: { id: "mira@example.org" } },
    handle: (call) => listRolesOfPerson(call.app.database.db, findActingViewer(call), call.params.id),
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/assignRole",
    summary: "Assigns a role to a user, by id, address or username.",
    permission: ROLE_KEY,
    body: RoleForm,
    example: { body: roleExample },
    handle: (call) => changeRole(call, call.body, assignRole),
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/unassignRole",
    summary: "Removes a role from a user.",
    permission: ROLE_KEY,
    body: RoleForm,
    example: { body: roleExample },
    handle: (call) => changeRole(call, call.body, unassignRole),
  }),
];

/** Lists the people with a role. The query works as for Users. */
async function findByRole(call: Call) {
  const { app, params, query } = call;
  const role = params["role"]!;
  const { loadRoles } = parseInput(RoleQuery, query);
  const viewer = findActingViewer(call);
  const only = (alias: string) => hasRoleCondition(viewer, role, sql.ref(`${alias}.object_id`));
  // Throws for callers without permission; called before the role lookup, so that they cannot tell whether
  // the role exists.
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

/** Whether the query returns something other than complete user records. */
const hasCustomShape = (query: Call["query"]) =>
  query["property"] !== undefined ||
  query["props"] !== undefined ||
  Boolean(query["groupBy"]) ||
  query["distinct"] === "true";

/** A user record without the excluded properties. */
function formatUser(user: ApiUser, withRoles: boolean, without: Set<string>): ApiRecord {
  // Clients expect `roles` to be a list even when it is empty.
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

async function changeRole(
  call: Pick<Call, "app" | "caller">,
  { user, roleName }: z.output<typeof RoleForm>,
  verb: typeof assignRole,
) {
  await call.app.database.inTransaction((tx) =>
    verb(tx, findActingViewer(call), { identity: user, role: roleName }),
  );
}
