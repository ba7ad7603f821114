import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { normalizeProperties, readNewAccount, register, signInAsGuest } from "#community/accounts";
import { defineEndpoint } from "../endpoint.ts";
import type { Call } from "../rest-route.ts";
import { NewUserBody, parseUserRecord, SignedInUser, UserRecord } from "./user-schemas.ts";
import { requestOrigin } from "./request-origin.ts";
import { toNewUserRecord } from "./user-record.ts";
import { readUsersTable, removeRelations } from "./hosted-users.ts";
import { createSignedInRecord } from "./signed-in-record.ts";

/** Endpoints to register members and guest accounts. */
export const registrationEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/users/register",
    summary: "Creates an account.",
    open: true,
    body: NewUserBody,
    response: UserRecord,
    example: { body: { email: "ana@example.org", password: "five red foxes", name: "Ana" } },
    handle: registerAccount,
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/register/guest",
    summary: "Creates a guest account without a name, and signs in.",
    open: true,
    response: SignedInUser,
    handle: async (call) =>
      createSignedInRecord(call, await signInAsGuest(call.app, requestOrigin(call), "api")),
  }),
];

async function registerAccount(call: Call) {
  const { app } = call;
  const user = parseUserRecord(call.body);
  if (Object.hasOwn(user.properties, "id"))
    throw new Refusal("invalid", "A user has an objectId, not an id.", { kind: "property-id" });
  const account = readNewAccount(user, (await app.settings.get()).apiDefaults === "hosted");
  const from = requestOrigin(call);
  const acceptLanguage = user.locale ?? from.acceptLanguage;
  const users = await readUsersTable(app.tables);
  const properties = await app.database.inTransaction((tx) =>
    normalizeProperties(tx, removeRelations(user.properties, users.relations), users.canAddColumns),
  );
  const options = { guestId: findGuestId(call, user.objectId), properties, sessionKind: "api" as const };
  const { id, username: called, state } = await register(app, account, { ...from, acceptLanguage }, options);
  const locale = /^[a-z]{2}/i.exec(acceptLanguage)?.[0].toLowerCase() ?? "en";
  return toNewUserRecord({
    id,
    username: called,
    name: account.name,
    email: account.email,
    state,
    properties,
    locale,
    at: app.now(),
  });
}

/**
 * Returns the id of the guest account that becomes a member and keeps this id. Undefined unless the caller
 * is that guest or has the server key.
 */
export function findGuestId({ caller }: Call, objectId: string | undefined): string | undefined {
  if (objectId === undefined || !isId(objectId)) return undefined;
  const own = caller.viewer.role === "guest" && caller.viewer.id === objectId;
  return own || caller.key === "server" ? objectId : undefined;
}
