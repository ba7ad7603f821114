import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { NewAccount } from "#community/people";
import type { Call, Route } from "../route.ts";
import { userFrom } from "./forms.ts";
import { fromOf } from "./from.ts";
import { newUserRecord } from "./record.ts";
import { growing, signedInRecord } from "./signed-in.ts";

/** Coming to be: as a member, and as a guest of a program. */
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
  const { password, email, username } = user;
  if (password === undefined) throw new Refusal("invalid", "A password is needed to register.", { kind: "no-password" });
  if (Object.hasOwn(user.properties, "id")) throw new Refusal("invalid", "A user has an objectId, and no id.", { kind: "property-id" });
  if (email === undefined) throw new Refusal("invalid", "An address is needed to register: email.", { kind: "no-identity" });
  const account = accountOf({ email, password, name: user.name ?? nameIn(email), username });
  const from = fromOf(call);
  const acceptLanguage = user.locale ?? from.acceptLanguage;
  const properties = await house.accounts.settleProperties(user.properties, await growing(house));
  const options = { guestId: guestOf(call, user.objectId), properties };
  const { id, username: called, state } = await house.accounts.register(account, { ...from, acceptLanguage }, options);
  const locale = /^[a-z]{2}/i.exec(acceptLanguage)?.[0].toLowerCase() ?? "en";
  return newUserRecord({ id, username: called, name: account.name, email: account.email, state, properties, locale, at: house.now() });
}

const nameIn = (email: string) => email.split("@")[0]!.slice(0, 50) || email.slice(0, 50);

function accountOf(given: { email: string; password: string; name: string; username: string | undefined }): NewAccount {
  const read = NewAccount.safeParse(given);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  const kind = path[0] === "email" ? "bad-email" : path[0] === "password" ? "no-password" : "user-invalid";
  throw new Refusal("invalid", message, { kind, fields: { [String(path[0])]: message } });
}

/** A guest becomes a member under its own id: by its own token, or with the server key. */
export function guestOf({ caller }: Call, objectId: string | undefined): string | undefined {
  if (objectId === undefined || !isId(objectId)) return undefined;
  const own = caller.viewer.role === "guest" && caller.viewer.id === objectId;
  return own || caller.key === "server" ? objectId : undefined;
}
