import { z } from "zod";
import { findOne } from "#baas/data";
import { HOSTED_DEFAULTS_HINT } from "#community/settings";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { runQuery, UrlTableQuery } from "../data/data-queries.ts";
import { TableRecord } from "../data/data-shapes.ts";
import { defineEndpoint, type Permission, serverKeyOnly } from "../endpoint.ts";
import { assertServerKey } from "../parse-input.ts";
import type { Call } from "../rest-route.ts";
import { parseUserRecord, StatusForm, UserBody, UserRecord } from "./user-schemas.ts";
import { requestOrigin } from "./request-origin.ts";
import { findActingViewer } from "./login-routes.ts";
import { toUserRecord } from "./user-record.ts";
import { readUsersTable, removeRelations } from "./hosted-users.ts";
import {
  sendPasswordLink,
  resendConfirmationTo,
  changeApiUser,
  setUserStatus,
  createConfirmationLink,
} from "#community/accounts";

const OWN_USER: Permission = {
  name: "the user, and the server key",
  caller: "member",
  refusal: { status: 400, code: 1000 },
};
const STATUS_KEY = serverKeyOnly("Operation allowed only for BL logic.", "server-key-for-status", {
  status: 400,
  code: 3054,
});
const CONFIRMATION_KEY: Permission = {
  name: "the server key",
  caller: "server key",
  refusal: { status: 403, code: 2011 },
  async check(call) {
    if ((await call.app.settings.get()).apiDefaults !== "hosted")
      assertServerKey(
        call,
        msg("Creating a confirmation link needs the server key. {hint}", { hint: HOSTED_DEFAULTS_HINT }),
      );
  },
};

/** Guests get "not found" rather than "not allowed", because they cannot see the user of the example. */
const USER_READER: Permission = {
  name: "callers to whom the directory shows the user, by default members",
  caller: "member",
  refusal: { status: 400, code: 1000 },
};

const userExample = { id: "01900000-0000-7000-8000-000000000001" };
const addressExample = { identity: "ines@example.org" };

/** Endpoints that change an account: its properties, password, email address or status. */
export const accountEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/users/:id",
    summary: "Returns a user, or the properties named in `props`: the same record as `/data/Users/{id}`.",
    permission: USER_READER,
    query: UrlTableQuery,
    response: TableRecord,
    example: { params: userExample, query: { props: "name" } },
    handle: ({ app, caller, params, query }) =>
      runQuery({ app, caller, params: { table: "Users" } }, query, (users) =>
        findOne(users.tables, users.caller, users.table, params.id, query),
      ),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/users/:id",
    summary: "Changes the given properties of a user.",
    permission: OWN_USER,
    body: UserBody,
    response: UserRecord,
    example: { params: userExample, body: { name: "Mira", plot: 3 } },
    handle: (call) => updateUser(call, call.params.id),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/users/:id/status",
    summary: "Enables or disables an account; its person is notified by email.",
    permission: STATUS_KEY,
    body: StatusForm,
    inputError: "user-invalid",
    example: { params: userExample, body: { userStatus: "ENABLED" } },
    handle: (call) => setUserStatus(call.app, findActingViewer(call), call.params.id, call.body.userStatus),
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/restorepassword/:identity",
    summary: "Sends an email with a link to set a new password.",
    open: true,
    example: { params: addressExample },
    handle: (call) =>
      sendPasswordLink(call.app, findActingViewer(call), call.params.identity, requestOrigin(call)),
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/resendconfirmation/:identity",
    summary: "Sends the confirmation email again.",
    open: true,
    example: { params: addressExample },
    handle: (call) =>
      resendConfirmationTo(call.app, findActingViewer(call), call.params.identity, requestOrigin(call)),
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/createEmailConfirmationURL/:identity",
    summary: "Creates a link that confirms an email address.",
    permission: CONFIRMATION_KEY,
    open: true,
    response: z.object({ confirmationURL: z.string() }),
    example: { params: addressExample },
    handle: async (call) => ({
      confirmationURL: await createConfirmationLink(call.app, findActingViewer(call), call.params.identity),
    }),
  }),
];

/** Changes the given properties of a user and returns all properties. */
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
  return toUserRecord(await changeApiUser(app, findActingViewer(call), id, { ...changes, status }, by));
}
