import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { readNewAccount } from "#community/people";
import type { Call, Route } from "../route.ts";
import { userFrom } from "./forms.ts";
import { fromOf } from "./from.ts";
import { newUserRecord } from "./record.ts";
import { usersTable, withoutRelations } from "./hosted-users.ts";
import { signedInRecord } from "./signed-in.ts";

/** Registration of members and guest accounts. */
export const registerRoutes: Route[] = [
  { method: "POST", path: "/users/register", open: true, handle: register },
  {
    method: "POST",
    path: "/users/register/guest",
    open: true,
    handle: async (call) => signedInRecord(call, await call.house.accounts.signInAsGuest(fromOf(call), "wire")),
  },
];

async function register(call: Call) {
  const { house } = call;
  const user = userFrom(call.body);
  if (Object.hasOwn(user.properties, "id")) throw new Refusal("invalid", "A user has an objectId, and no id.", { kind: "property-id" });
  const account = readNewAccount(user, (await house.settings.get()).apiDefaults === "hosted");
  const from = fromOf(call);
  const acceptLanguage = user.locale ?? from.acceptLanguage;
  const users = await usersTable(house.tables);
  const properties = await house.accounts.settleProperties(withoutRelations(user.properties, users.relations), users.growing);
  const options = { guestId: guestOf(call, user.objectId), properties, door: "wire" as const };
  const { id, username: called, state } = await house.accounts.register(account, { ...from, acceptLanguage }, options);
  const locale = /^[a-z]{2}/i.exec(acceptLanguage)?.[0].toLowerCase() ?? "en";
  return newUserRecord({ id, username: called, name: account.name, email: account.email, state, properties, locale, at: house.now() });
}

/** A guest becomes a member under its own id, with its own token or the server key. */
export function guestOf({ caller }: Call, objectId: string | undefined): string | undefined {
  if (objectId === undefined || !isId(objectId)) return undefined;
  const own = caller.viewer.role === "guest" && caller.viewer.id === objectId;
  return own || caller.key === "server" ? objectId : undefined;
}
