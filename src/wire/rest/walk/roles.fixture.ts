import { expect } from "vitest";
import { many, sql } from "#platform/database";
import { type At, bare, type Lines, provider, refusal } from "./walk.fixture.ts";

const roles = async ({ database }: At) =>
  (await many(database.db, sql<{ role: string }>`select role from person_roles`)).map(({ role }) => role);

/** Roles, and sign-in with a provider. */
export const ROLES: Lines = {
  "roles: assignRole": {
    call: ({ server }) => server.UserService.assignRole("ana@example.org", "Editor"),
    sends: () => ["POST", "/users/assignRole", { user: "ana@example.org", roleName: "Editor" }],
    gives: () => "",
    keeps: roles,
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
    keeps: roles,
    kept: [],
  },
  "social: the address of a sign-in": {
    call: ({ app }) => provider(app)["getAuthorizationUrlLink"]!("here", { plot: "plot" }, ["email"], false),
    sends: () => ["POST", "/users/oauth/here/request_url", { fieldsMapping: { plot: "plot" }, permissions: ["email"] }],
    gives: () => refusal(3014),
  },
  "social: loginWithOauth2": {
    call: ({ app }) => provider(app)["loginWithOauth2"]!("here", "token", {}),
    sends: () => ["POST", "/users/social/here/login", { accessToken: "token" }],
    gives: () => refusal(3014),
  },
  "social: loginWithOauth1": {
    call: ({ app }) => provider(app)["loginWithOauth1"]!("here", "token", "secret", {}),
    sends: () => ["POST", "/users/social/here/login", { accessToken: "token", accessTokenSecret: "secret" }],
    gives: () => refusal(3014),
  },
  "social: loginWithGooglePlusSdk": {
    call: ({ app }) => provider(app)["loginWithGooglePlusSdk"]!("token", {}),
    sends: () => ["POST", "/users/social/googleplus/sdk/login", { accessToken: "token" }],
    gives: () => refusal(3014),
  },
  "social: the address of a popup, as the client asks for it in a browser": bare(
    "POST",
    "/users/social/oauth/here/request_url",
    { fieldsMapping: {}, permissions: [] },
    refusal(3014),
  ),
  "social: where a popup begins": bare("GET", "/users/social/begin/here", undefined, refusal(3014)),
  "social: where a popup comes back": bare("GET", "/users/social/return/here?code=x&state=y", undefined, refusal(3014)),
};
