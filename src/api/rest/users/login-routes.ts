import { z } from "zod";
import { Refusal } from "#platform/refusal";
import {
  signOut,
  findSession,
  signInAs,
  signIn,
  finishTwoFactor,
  isOwnPassword,
  type StartedSession,
} from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { defineEndpoint, type Permission } from "../endpoint.ts";
import { assertServerKey } from "../parse-input.ts";
import type { Call } from "../rest-route.ts";
import { LoginForm, PasswordForm, SignedInUser } from "./user-schemas.ts";
import { requestOrigin } from "./request-origin.ts";
import { createSignedInRecord } from "./signed-in-record.ts";

const SESSION_AT_SERVER: Permission = {
  name: "sessions with the server key",
  caller: "member with server key",
  refusal: { status: 400, code: 3121 },
};

const LoginBody = z.preprocess((body) => body ?? {}, LoginForm);

/** Endpoints for sign-in, sign-out and verification. */
export const loginEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/users/login",
    summary: "Signs in; the answer contains the `user-token`.",
    open: true,
    body: LoginBody,
    inputError: "user-invalid",
    response: SignedInUser,
    example: { body: { login: "mira@example.org", password: "seven brown hens" } },
    handle: async (call) => createSignedInRecord(call, await startUserSession(call, call.body)),
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/logout",
    summary: "Signs out.",
    // Signing out with an unknown token, such as that of a disabled user, succeeds: there is no session to
    // end.
    open: true,
    handle: async ({ app, caller }) =>
      caller.session ? signOut(app, caller.session.token, "api") : undefined,
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/isvalidusertoken/:token",
    summary: "Returns whether a token belongs to an open session.",
    open: true,
    response: z.boolean(),
    example: { params: { token: "token-of-a-session" } },
    handle: async ({ app, params }) => (await findSession(app, params.token, "api")) !== null,
  }),
  defineEndpoint({
    method: "POST",
    // Clients use this misspelled path.
    path: "/users/verifypassowrd",
    summary: "Returns whether this is the password of the session's user.",
    permission: SESSION_AT_SERVER,
    async prepare(call) {
      getOwnViewer(call);
      assertServerKey(call, "Password verification allowed only from CloudCode", "server-key-for-password");
    },
    body: PasswordForm,
    inputError: "user-invalid",
    response: z.object({ valid: z.boolean() }),
    example: { body: { password: "seven brown hens" } },
    handle: async (call) => ({
      valid: await isOwnPassword(call.app, getOwnViewer(call), call.body.password),
    }),
  }),
];

async function startUserSession(call: Call, form: z.output<typeof LoginForm>): Promise<StartedSession> {
  const { app } = call;
  const { login: name, password, objectId, code } = form;
  const from = requestOrigin(call);
  if (objectId !== undefined && password === undefined) {
    assertServerKey(call, "Login by object id is allowed only for Code Runner API key", "login-by-id");
    return signInAs(app, findActingViewer(call), objectId, from);
  }
  if (name === undefined || password === undefined)
    throw new Refusal("invalid", "Sign-in needs a login and a password.", { kind: "wrong-login" });
  const outcome = await signIn(app, { login: name, password, stay: true }, from, "api");
  if (outcome.kind === "signed-in") return outcome.session;
  if (code === undefined)
    throw new Refusal("not-allowed", "This account uses two-factor authentication: send its code as well.", {
      data: { secondStep: true },
    });
  return finishTwoFactor(app, outcome.challengeToken, code, from, "api");
}

/**
 * Returns the operator for calls with the server key, even if a person is signed in; otherwise the caller's
 * viewer.
 */
export const findActingViewer = ({ caller }: Pick<Call, "caller">) =>
  caller.key === "server" ? OPERATOR : caller.viewer;

/**
 * Returns the viewer of the caller's own session.
 * @throws `not-signed-in` without a session
 */
function getOwnViewer({ caller: { viewer, session } }: Pick<Call, "caller">) {
  if (!session || viewer.id === null)
    throw new Refusal("not-signed-in", "No authenticated user is associated with request", {
      kind: "no-session",
    });
  return { ...viewer, id: viewer.id };
}
