import { Refusal } from "#platform/refusal";
import type { StartedSession } from "#community/people";
import { OPERATOR } from "#community/rules";
import { assertServerKey, parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { LoginForm, PasswordForm } from "./forms.ts";
import { fromOf } from "./from.ts";
import { signedInRecord } from "./signed-in.ts";

/** Sign-in, sign-out and verification. */
export const loginRoutes: Route[] = [
  { method: "POST", path: "/users/login", open: true, handle: async (call) => signedInRecord(call, await login(call)) },
  {
    method: "GET",
    path: "/users/logout",
    // An unknown token, such as a disabled user's, has nothing left to end.
    open: true,
    handle: async ({ house, caller }) => (caller.session ? house.accounts.signOut(caller.session.token, "wire") : undefined),
  },
  {
    method: "GET",
    path: "/users/isvalidusertoken/:token",
    open: true,
    handle: async ({ house, params }) => (await house.accounts.sessionFor(params["token"]!, "wire")) !== null,
  },
  // Spelled as clients spell it.
  { method: "POST", path: "/users/verifypassowrd", handle: verifyPassword },
];

async function login(call: Call): Promise<StartedSession> {
  const { accounts } = call.house;
  const { login: name, password, objectId, code } = parsed(LoginForm, call.body ?? {}, "user-invalid");
  const from = fromOf(call);
  if (objectId !== undefined && password === undefined) {
    assertServerKey(call, "Login by object id is allowed only for Code Runner API key", "login-by-id");
    return accounts.enterAs(operatorOf(call), objectId, from);
  }
  if (name === undefined || password === undefined)
    throw new Refusal("invalid", "Signing in takes a login and a password.", { kind: "wrong-login" });
  const came = await accounts.signIn({ login: name, password, stay: true }, from, "wire");
  if (came.kind === "signed-in") return came.session;
  if (code === undefined)
    throw new Refusal("not-allowed", "This account has a second step: send its code as well.", { data: { secondStep: true } });
  return accounts.finishSecondStep(came.halfToken, code, from, "wire");
}

/** A holder of the server key acts for the site, whichever person is signed in. */
export const operatorOf = ({ caller }: Pick<Call, "caller">) => (caller.key === "server" ? OPERATOR : caller.viewer);

async function verifyPassword(call: Call): Promise<{ valid: boolean }> {
  const { viewer, session } = call.caller;
  if (!session || viewer.id === null)
    throw new Refusal("not-signed-in", "No authenticated user is associated with request", { kind: "no-session" });
  assertServerKey(call, "Password verification allowed only from CloudCode", "server-key-for-password");
  const { password } = parsed(PasswordForm, call.body, "user-invalid");
  return { valid: await call.house.accounts.passwordHolds({ ...viewer, id: viewer.id }, password) };
}
