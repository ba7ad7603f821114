import { expect } from "vitest";
import { APP, CLIENT, SERVER } from "../rest/rest-server.ts";
import { anyOfType, createBareStep, type ContractStep, type ContractSteps } from "./contract-run.ts";

/** Creates a step for a management call, for which the client has no method. */
const managementStep = (method: string, path: string, body: unknown, given: unknown): ContractStep =>
  createBareStep(method, `/management${path}`, body, given);
const registration = { userRegistrationEnabled: true, approvalRequired: false };
const logins = { enableMultipleLogins: true, lockMinutes: 5 };

/** Management calls from operators' scripts: management.md. */
export const MANAGEMENT_STEPS: ContractSteps = {
  "management: keys": managementStep("GET", "/keys", undefined, {
    appId: APP,
    clientKey: CLIENT,
    serverKey: SERVER,
    searchKey: anyOfType(String),
  }),
  "management: a table": managementStep(
    "POST",
    "/data/table",
    { name: "Beds" },
    { name: "Beds", published: false },
  ),
  "management: tables": managementStep(
    "GET",
    "/data/tables",
    undefined,
    expect.arrayContaining([expect.objectContaining({ name: "Beds" })]),
  ),
  "management: a column": managementStep(
    "POST",
    "/data/table/Beds/columns",
    { name: "area", dataType: "DOUBLE" },
    { name: "area", dataType: "DOUBLE" },
  ),
  "management: a column, changed": managementStep(
    "PUT",
    "/data/table/Beds/columns/area",
    { indexed: true },
    { name: "area", indexed: true },
  ),
  "management: a relation": managementStep(
    "POST",
    "/data/table/Beds/columns/relation",
    { name: "owner", toTable: "Users", relationshipType: "ONE_TO_ONE" },
    { name: "owner", toTable: "Users" },
  ),
  "management: a column, taken away": managementStep("DELETE", "/data/table/Beds/columns/area", undefined, {
    deleted: true,
  }),
  "management: who may, set": managementStep(
    "PUT",
    "/data/table/Beds/access",
    { JSUser: { find: true } },
    { JSUser: { find: true } },
  ),
  "management: who may": managementStep("GET", "/data/table/Beds/access", undefined, {
    JSUser: { find: true },
  }),
  "management: a table, taken away": managementStep("DELETE", "/data/table/Beds", undefined, {
    deleted: true,
  }),
  "management: tables at all": managementStep("GET", "/data/config", undefined, {
    dynamicSchema: true,
    defaultAccess: "open",
  }),
  "management: tables at all, set": managementStep(
    "PUT",
    "/data/config",
    { dynamicSchema: false },
    { dynamicSchema: false, defaultAccess: "open" },
  ),
  "management: registration": managementStep("GET", "/users/registration", undefined, {
    ...registration,
    emailConfirmationRequired: false,
  }),
  "management: registration, set": managementStep(
    "PUT",
    "/users/registration",
    { emailConfirmationRequired: true },
    {
      ...registration,
      emailConfirmationRequired: true,
    },
  ),
  "management: logins, set": managementStep("PUT", "/users/login", logins, logins),
  "management: logins": managementStep("GET", "/users/login", undefined, logins),
  "management: API defaults, set": managementStep(
    "PUT",
    "/api-defaults",
    { apiDefaults: "careful" },
    { apiDefaults: "careful" },
  ),
  "management: API defaults": managementStep("GET", "/api-defaults", undefined, { apiDefaults: "careful" }),
  "management: limits, set": managementStep(
    "PUT",
    "/limits",
    { tableRows: 1_000 },
    { tableRows: 1_000, apiCalls: 0 },
  ),
  "management: limits": managementStep("GET", "/limits", undefined, { tableRows: 1_000, apiCalls: 0 }),
  "management: somebody": {
    call: ({ ask, ana }) => ask("PUT", `/management/users/${ana}`, { name: "Ana" }),
    sends: ({ ana }) => ["PUT", `/management/users/${ana}`, { name: "Ana" }],
    gives: ({ ana }) => ({ objectId: ana, name: "Ana" }),
  },
  "management: a role": managementStep("PUT", "/roles/Gardener", undefined, { name: "Gardener" }),
  "management: roles": managementStep(
    "GET",
    "/roles",
    undefined,
    expect.arrayContaining(["Gardener", "JSUser"]),
  ),
  "management: a role, taken away": managementStep("DELETE", "/roles/Gardener", undefined, { deleted: true }),
  "management: a channel": managementStep("PUT", "/channels", { name: "garden" }, { name: "garden" }),
  "management: channels": managementStep(
    "GET",
    "/channels",
    undefined,
    expect.arrayContaining([expect.objectContaining({ name: "garden" })]),
  ),
  "management: a template of mail, set": managementStep(
    "PUT",
    "/email-templates/Seeds",
    { subject: "Seeds", text: "They are here." },
    { name: "Seeds" },
  ),
  "management: a template of mail": managementStep("GET", "/email-templates/Seeds", undefined, {
    name: "Seeds",
    text: "They are here.",
    html: "",
  }),
  "management: a template of pushes, set": managementStep(
    "PUT",
    "/push-templates/Rain",
    { body: "It rains, {name}." },
    { name: "Rain", os: "ALL" },
  ),
  "management: a template of pushes": managementStep("GET", "/push-templates/Rain", undefined, {
    name: "Rain",
    body: "It rains, {name}.",
  }),
  "management: a flow, set": managementStep(
    "PUT",
    "/flows/Harvest",
    { enabled: false },
    { name: "Harvest", enabled: false },
  ),
  "management: a flow": managementStep("GET", "/flows/Harvest", undefined, {
    name: "Harvest",
    enabled: false,
  }),
};

/** The reset, which must be the last step. */
export const RESET_STEP: ContractSteps = {
  "management: reset": managementStep("POST", "/reset", { confirm: APP }, { emptied: true }),
};
