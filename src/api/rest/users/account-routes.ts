import { findOne, withTable } from "#baas/data";
import { HOSTED_HINT } from "#community/settings";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { toTableCaller } from "../data/data-routes.ts";
import { assertServerKey, parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";
import { StatusForm, parseUserRecord } from "./user-schemas.ts";
import { requestOrigin } from "./request-origin.ts";
import { operatorOr } from "./login-routes.ts";
import { toUserRecord } from "./user-record.ts";
import { readUsersTable, removeRelations } from "./hosted-users.ts";

/** Account changes: properties, password, address, status. */
export const accountRoutes: Route[] = [
  { method: "GET", path: "/users/:id", handle: findUser },
  { method: "PUT", path: "/users/:id", handle: (call) => updateUser(call, call.params["id"]!) },
  { method: "PUT", path: "/users/:id/status", handle: setStatus },
  {
    method: "GET",
    path: "/users/restorepassword/:identity",
    open: true,
    handle: (call) =>
      call.app.accounts.sendPasswordLink(operatorOr(call), call.params["identity"]!, requestOrigin(call)),
  },
  {
    method: "POST",
    path: "/users/resendconfirmation/:identity",
    open: true,
    handle: (call) =>
      call.app.accounts.confirmAgain(operatorOr(call), call.params["identity"]!, requestOrigin(call)),
  },
  {
    method: "POST",
    path: "/users/createEmailConfirmationURL/:identity",
    open: true,
    handle: createConfirmationUrl,
  },
];

/** The same record, for the same readers, as under `/data/Users`. */
function findUser(call: Call) {
  const { tables } = call.app;
  return withTable(tables, "Users", (table) =>
    findOne(tables, toTableCaller(call), table, call.params["id"]!, call.query),
  );
}

/** Changes the given properties of a user and answers with all of them. */
export async function updateUser(
  call: Pick<Call, "app" | "caller" | "body">,
  id: string,
  status?: "ENABLED" | "DISABLED",
) {
  const { app, caller } = call;
  const users = await readUsersTable(app.tables);
  const { objectId: _same, properties, ...account } = parseUserRecord(call.body);
  const changes = { ...account, properties: removeRelations(properties, users.relations) };
  if (Object.keys(changes.properties).length === 0)
    throw new Refusal("invalid", "There is nothing to change.", { kind: "no-properties" });
  const by = { session: caller.session, canAddColumns: users.canAddColumns };
  return toUserRecord(await app.accounts.changeUser(operatorOr(call), id, { ...changes, status }, by));
}

async function setStatus(call: Call) {
  assertServerKey(call, "Operation allowed only for BL logic.", "server-key-for-status");
  const { userStatus } = parseInput(StatusForm, call.body, "user-invalid");
  if (userStatus !== "ENABLED" && userStatus !== "DISABLED")
    throw new Refusal("invalid", "The status must be ENABLED or DISABLED.", { kind: "user-invalid" });
  await setUserStatus(call, call.params["id"]!, userStatus);
}

export const setUserStatus = (
  call: Pick<Call, "app" | "caller">,
  id: string,
  status: "ENABLED" | "DISABLED",
) => call.app.accounts.setUserStatus(operatorOr(call), id, status);

async function createConfirmationUrl(call: Call) {
  if ((await call.app.settings.get()).apiDefaults !== "hosted")
    assertServerKey(
      call,
      msg("Creating a confirmation link needs the server key. {hint}", { hint: HOSTED_HINT }),
    );
  return {
    confirmationURL: await call.app.accounts.createConfirmationLink(
      operatorOr(call),
      call.params["identity"]!,
    ),
  };
}
