import { findOne, onTable } from "#backend/tables";
import { HOSTED_ALLOWS } from "#community/settings";
import { Refusal } from "#platform/refusal";
import { asTableCaller } from "../data.ts";
import { assertServerKey, parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { StatusForm, userFrom } from "./forms.ts";
import { fromOf } from "./from.ts";
import { operatorOf } from "./login.ts";
import { userRecord } from "./record.ts";
import { usersTable, withoutRelations } from "./hosted-users.ts";

/** Account changes: properties, password, address, status. */
export const accountRoutes: Route[] = [
  { method: "GET", path: "/users/:id", handle: findUser },
  { method: "PUT", path: "/users/:id", handle: (call) => updateUser(call, call.params["id"]!) },
  { method: "PUT", path: "/users/:id/status", handle: setStatus },
  {
    method: "GET",
    path: "/users/restorepassword/:identity",
    open: true,
    handle: (call) => call.house.accounts.restorePassword(operatorOf(call), call.params["identity"]!, fromOf(call)),
  },
  {
    method: "POST",
    path: "/users/resendconfirmation/:identity",
    open: true,
    handle: (call) => call.house.accounts.confirmAgain(operatorOf(call), call.params["identity"]!, fromOf(call)),
  },
  { method: "POST", path: "/users/createEmailConfirmationURL/:identity", open: true, handle: confirmationUrl },
];

/** The same record, for the same readers, as under `/data/Users`. */
function findUser(call: Call) {
  const { tables } = call.house;
  return onTable(tables, "Users", (table) => findOne(tables, asTableCaller(call), table, call.params["id"]!, call.query));
}

/** Changes the given properties of a user and answers with all of them. */
export async function updateUser(call: Call, id: string, status?: "ENABLED" | "DISABLED") {
  const { house, caller } = call;
  const users = await usersTable(house.tables);
  const { objectId: _same, properties, ...account } = userFrom(call.body);
  const changes = { ...account, properties: withoutRelations(properties, users.relations) };
  if (Object.keys(changes.properties).length === 0) throw new Refusal("invalid", "There is nothing to change.", { kind: "no-properties" });
  const by = { session: caller.session, growing: users.growing };
  return userRecord(await house.accounts.changeUser(operatorOf(call), id, { ...changes, status }, by));
}

async function setStatus(call: Call) {
  assertServerKey(call, "Operation allowed only for BL logic.", "server-key-for-status");
  const { userStatus } = parsed(StatusForm, call.body, "user-invalid");
  if (userStatus !== "ENABLED" && userStatus !== "DISABLED")
    throw new Refusal("invalid", "An account is ENABLED or DISABLED.", { kind: "user-invalid" });
  await setUserStatus(call, call.params["id"]!, userStatus);
}

export const setUserStatus = (call: Call, id: string, status: "ENABLED" | "DISABLED") =>
  call.house.accounts.setUserStatus(operatorOf(call), id, status);

async function confirmationUrl(call: Call) {
  if ((await call.house.settings.get()).apiDefaults !== "hosted")
    assertServerKey(call, `The link that confirms an address is for the server key. ${HOSTED_ALLOWS}`);
  return { confirmationURL: await call.house.accounts.confirmationLink(operatorOf(call), call.params["identity"]!) };
}
