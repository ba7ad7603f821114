import { expect } from "vitest";
import { many, sql } from "#platform/database";
import { PASSWORD } from "../rest/rest-server.ts";
import {
  type StepContext,
  anyOfType,
  type ContractSteps,
  userService,
  refusalWithCode,
} from "./contract-run.ts";

/** Reads the registered users, without the admin that every installation has. */
const readUsers = async ({ database }: StepContext) =>
  (
    await many(
      database.db,
      sql<{ name: string }>`select display_name as name from people where site_role <> 'admin' order by name`,
    )
  ).map(({ name }) => name);
const readState = async ({ database }: StepContext) =>
  (await many(database.db, sql<{ state: string }>`select state from people where display_name = 'Anna'`))[0]!
    .state;

/** Accounts (section 5 of the contract), ordered so that each call finds the accounts it needs. */
export const USER_STEPS: ContractSteps = {
  "user service: register": {
    call: ({ app }) =>
      app.UserService.register({ email: "ana@example.org", password: PASSWORD, name: "Ana" }),
    sends: () => ["POST", "/users/register", { email: "ana@example.org", password: PASSWORD, name: "Ana" }],
    gives: () => ({ ___class: "Users", email: "ana@example.org", userStatus: "ENABLED" }),
    keeps: readUsers,
    kept: ["Ana"],
  },
  "user service: createEmailConfirmationURL": {
    call: ({ server }) => server.UserService.createEmailConfirmationURL("ana@example.org"),
    sends: () => ["POST", "/users/createEmailConfirmationURL/ana@example.org"],
    gives: () => refusalWithCode(3020),
  },
  "user service: resendEmailConfirmation": {
    call: ({ app }) => app.UserService.resendEmailConfirmation("ana@example.org"),
    sends: () => ["POST", "/users/resendconfirmation/ana@example.org"],
    gives: () => "",
  },
  "user service: restorePassword": {
    call: ({ app }) => app.UserService.restorePassword("ana@example.org"),
    sends: () => ["GET", "/users/restorepassword/ana%40example.org"],
    gives: () => "",
  },
  "user service: loginAsGuest": {
    call: ({ server }) => server.UserService.loginAsGuest(),
    sends: () => ["POST", "/users/register/guest"],
    gives: () => ({ userStatus: "GUEST", "user-token": anyOfType(String) }),
  },
  "user service: logout": {
    call: ({ server }) => server.UserService.logout(),
    sends: () => ["GET", "/users/logout"],
    gives: () => undefined,
  },
  "user service: login": {
    call: ({ app }) => app.UserService.login("ana@example.org", PASSWORD),
    sends: () => ["POST", "/users/login", { login: "ana@example.org", password: PASSWORD }],
    gives: () => ({ name: "Ana", "user-token": anyOfType(String) }),
  },
  "user service: isValidLogin": {
    call: ({ app }) => app.UserService.isValidLogin(),
    sends: ({ token }) => ["GET", `/users/isvalidusertoken/${token}`],
    gives: () => true,
  },
  "user service: verifyPassword": {
    call: ({ app }) => userService(app)["verifyPassword"]!(PASSWORD),
    sends: () => ["POST", "/users/verifypassowrd", { password: PASSWORD }],
    gives: () => refusalWithCode(3122),
  },
  "user service: update": {
    call: ({ app, ana }) => app.UserService.update({ objectId: ana, name: "Anna", plot: 3 } as never),
    sends: ({ ana }) => ["PUT", `/users/${ana}`, { objectId: ana, name: "Anna", plot: 3 }],
    gives: () => ({ name: "Anna", plot: 3 }),
    keeps: readUsers,
    kept: ["Anna", anyOfType(String)],
  },
  "user service: getCurrentUser, once more": {
    call: ({ app }) => app.UserService.getCurrentUser(true),
    sends: ({ ana }) => ["GET", `/data/Users/${ana}`],
    gives: () => ({ name: "Anna", plot: 3, email: "ana@example.org" }),
  },
  "user service: describeUserClass": {
    call: ({ app }) => app.UserService.describeUserClass(),
    sends: () => ["GET", "/users/userclassprops"],
    gives: () => expect.arrayContaining([expect.objectContaining({ name: "plot", type: "INT" })]) as unknown,
  },
  "user service: disableUser": {
    call: ({ server, ana }) => server.UserService.disableUser(ana),
    sends: ({ ana }) => ["PUT", `/users/${ana}/status`, { userStatus: "DISABLED" }],
    gives: () => "",
    keeps: readState,
    kept: "suspended",
  },
  "user service: enableUser": {
    call: ({ server, ana }) => server.UserService.enableUser(ana),
    sends: ({ ana }) => ["PUT", `/users/${ana}/status`, { userStatus: "ENABLED" }],
    gives: () => "",
  },
  // The user was banned in an earlier step and has lost the session.
  "user service, once more: login": {
    call: ({ app }) => app.UserService.login("ana@example.org", PASSWORD),
    sends: () => ["POST", "/users/login", { login: "ana@example.org", password: PASSWORD }],
    gives: () => ({ name: "Anna", "user-token": anyOfType(String) }),
  },
};
