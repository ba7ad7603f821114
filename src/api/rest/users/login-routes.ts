import { Refusal } from "#platform/refusal";
import type { StartedSession } from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { assertServerKey, parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";
import { LoginForm, PasswordForm } from "./user-schemas.ts";
import { requestOrigin } from "./request-origin.ts";
import { createSignedInRecord } from "./signed-in-record.ts";

/** Sign-in, sign-out and verification. */
export const loginRoutes: Route[] = [
  {
    method: "POST",
    path: "/users/login",
    open: true,
    handle: async (call) => createSignedInRecord(call, await signIn(call)),
  },
  {
    method: "GET",
    path: "/users/logout",
    // An unknown token, such as a disabled user's, has nothing left to end.
    open: true,
    handle: async ({ app, caller }) =>
      caller.session ? app.accounts.signOut(caller.session.token, "api") : undefined,
  },
  {
    method: "GET",
    path: "/users/isvalidusertoken/:token",
    open: true,
    handle: async ({ app, params }) => (await app.accounts.findSession(params["token"]!, "api")) !== null,
  },
  // Spelled as clients spell it.
  { method: "POST", path: "/users/verifypassowrd", handle: verifyPassword },
];

async function signIn(call: Call): Promise<StartedSession> {
  const { accounts } = call.app;
  const { login: name, password, objectId, code } = parseInput(LoginForm, call.body ?? {}, "user-invalid");
  const from = requestOrigin(call);
  if (objectId !== undefined && password === undefined) {
    assertServerKey(call, "Login by object id is allowed only for Code Runner API key", "login-by-id");
    return accounts.signInAs(operatorOr(call), objectId, from);
  }
  if (name === undefined || password === undefined)
    throw new Refusal("invalid", "Sign-in needs a login and a password.", { kind: "wrong-login" });
  const came = await accounts.signIn({ login: name, password, stay: true }, from, "api");
  if (came.kind === "signed-in") return came.session;
  if (code === undefined)
    throw new Refusal("not-allowed", "This account uses two-factor authentication: send its code as well.", {
      data: { secondStep: true },
    });
  return accounts.finishTwoFactor(came.challengeToken, code, from, "api");
}

/** A holder of the server key acts for the site, whichever person is signed in. */
export const operatorOr = ({ caller }: Pick<Call, "caller">) =>
  caller.key === "server" ? OPERATOR : caller.viewer;

async function verifyPassword(call: Call): Promise<{ valid: boolean }> {
  const { viewer, session } = call.caller;
  if (!session || viewer.id === null)
    throw new Refusal("not-signed-in", "No authenticated user is associated with request", {
      kind: "no-session",
    });
  assertServerKey(call, "Password verification allowed only from CloudCode", "server-key-for-password");
  const { password } = parseInput(PasswordForm, call.body, "user-invalid");
  return { valid: await call.app.accounts.isPasswordCorrect({ ...viewer, id: viewer.id }, password) };
}
