import { expect } from "vitest";
import { many, sql } from "#platform/database";
import {
  type StepContext,
  createBareStep,
  type ContractSteps,
  userService,
  refusalWithCode,
} from "./contract-run.ts";

const readRoles = async ({ database }: StepContext) =>
  (await many(database.db, sql<{ role: string }>`select role from person_roles`)).map(({ role }) => role);

/** Roles, and sign-in with a provider. */
export const ROLE_STEPS: ContractSteps = {
  "roles: assignRole": {
    call: ({ server }) => server.UserService.assignRole("ana@example.org", "Editor"),
    sends: () => ["POST", "/users/assignRole", { user: "ana@example.org", roleName: "Editor" }],
    gives: () => "",
    keeps: readRoles,
    kept: ["Editor"],
  },
  "roles: getUserRoles": {
    call: ({ server, ana }) => server.UserService.getUserRoles(ana),
    sends: ({ ana }) => ["GET", `/users/userroles/${ana}`],
    gives: () => expect.arrayContaining(["Editor"]) as unknown,
  },
  "roles: getUserRoles, one's own": {
    call: ({ app }) => app.UserService.getUserRoles(),
    sends: () => ["GET", "/users/userroles"],
    gives: () => expect.arrayContaining(["JSUser"]) as unknown,
  },
  "roles: findByRole": {
    call: ({ server }) => server.UserService.findByRole("Editor", true, { where: "plot = 3", pageSize: 5 }),
    sends: () => ["GET", "/users/role/Editor?loadRoles=true&pageSize=5&where=plot%20%3D%203"],
    gives: () => [{ name: "Anna", roles: expect.arrayContaining(["Editor"]) as unknown }],
  },
  "roles: unassignRole": {
    call: ({ server, ana }) => server.UserService.unassignRole(ana, "Editor"),
    sends: ({ ana }) => ["POST", "/users/unassignRole", { user: ana, roleName: "Editor" }],
    gives: () => "",
    keeps: readRoles,
    kept: [],
  },
  "social: the address of a sign-in": {
    call: ({ app }) =>
      userService(app)["getAuthorizationUrlLink"]!("here", { plot: "plot" }, ["email"], false),
    sends: () => [
      "POST",
      "/users/oauth/here/request_url",
      { fieldsMapping: { plot: "plot" }, permissions: ["email"] },
    ],
    gives: () => refusalWithCode(3014),
  },
  "social: loginWithOauth2": {
    call: ({ app }) => userService(app)["loginWithOauth2"]!("here", "token", {}),
    sends: () => ["POST", "/users/social/here/login", { accessToken: "token" }],
    gives: () => refusalWithCode(3014),
  },
  "social: loginWithOauth1": {
    call: ({ app }) => userService(app)["loginWithOauth1"]!("here", "token", "secret", {}),
    sends: () => ["POST", "/users/social/here/login", { accessToken: "token", accessTokenSecret: "secret" }],
    gives: () => refusalWithCode(3014),
  },
  "social: loginWithGooglePlusSdk": {
    call: ({ app }) => userService(app)["loginWithGooglePlusSdk"]!("token", {}),
    sends: () => ["POST", "/users/social/googleplus/sdk/login", { accessToken: "token" }],
    gives: () => refusalWithCode(3014),
  },
  "social: the address of a popup, as the client asks for it in a browser": createBareStep(
    "POST",
    "/users/social/oauth/here/request_url",
    { fieldsMapping: {}, permissions: [] },
    refusalWithCode(3014),
  ),
  "social: where a popup begins": createBareStep(
    "GET",
    "/users/social/begin/here",
    undefined,
    refusalWithCode(3014),
  ),
  "social: where a popup comes back": createBareStep(
    "GET",
    "/users/social/return/here?code=x&state=y",
    undefined,
    refusalWithCode(3014),
  ),
};
