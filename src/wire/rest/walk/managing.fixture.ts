import { expect } from "vitest";
import { APP, CLIENT, SERVER } from "../rest.fixture.ts";
import { aKindOf, bare, type Line, type Lines } from "./walk.fixture.ts";

/** A call the client has no method for. */
const manage = (method: string, path: string, body: unknown, given: unknown): Line => bare(method, `/management${path}`, body, given);
const registration = { userRegistrationEnabled: true, approvalRequired: false };
const logins = { enableMultipleLogins: true, lockMinutes: 5 };

/** Management calls of an operator's scripts: management.md. */
export const MANAGING: Lines = {
  "management: keys": manage("GET", "/keys", undefined, { appId: APP, clientKey: CLIENT, serverKey: SERVER, searchKey: aKindOf(String) }),
  "management: a table": manage("POST", "/data/table", { name: "Beds" }, { name: "Beds", published: false }),
  "management: tables": manage("GET", "/data/tables", undefined, expect.arrayContaining([expect.objectContaining({ name: "Beds" })])),
  "management: a column": manage(
    "POST",
    "/data/table/Beds/columns",
    { name: "area", dataType: "DOUBLE" },
    { name: "area", dataType: "DOUBLE" },
  ),
  "management: a column, changed": manage("PUT", "/data/table/Beds/columns/area", { indexed: true }, { name: "area", indexed: true }),
  "management: a relation": manage(
    "POST",
    "/data/table/Beds/columns/relation",
    { name: "owner", toTable: "Users", relationshipType: "ONE_TO_ONE" },
    { name: "owner", toTable: "Users" },
  ),
  "management: a column, taken away": manage("DELETE", "/data/table/Beds/columns/area", undefined, { deleted: true }),
  "management: who may, set": manage("PUT", "/data/table/Beds/access", { JSUser: { find: true } }, { JSUser: { find: true } }),
  "management: who may": manage("GET", "/data/table/Beds/access", undefined, { JSUser: { find: true } }),
  "management: a table, taken away": manage("DELETE", "/data/table/Beds", undefined, { deleted: true }),
  "management: tables at all": manage("GET", "/data/config", undefined, { dynamicSchema: true, defaultAccess: "open" }),
  "management: tables at all, set": manage(
    "PUT",
    "/data/config",
    { dynamicSchema: false },
    { dynamicSchema: false, defaultAccess: "open" },
  ),
  "management: registration": manage("GET", "/users/registration", undefined, { ...registration, emailConfirmationRequired: false }),
  "management: registration, set": manage(
    "PUT",
    "/users/registration",
    { emailConfirmationRequired: true },
    {
      ...registration,
      emailConfirmationRequired: true,
    },
  ),
  "management: logins, set": manage("PUT", "/users/login", logins, logins),
  "management: logins": manage("GET", "/users/login", undefined, logins),
  "management: API defaults, set": manage("PUT", "/api-defaults", { apiDefaults: "careful" }, { apiDefaults: "careful" }),
  "management: API defaults": manage("GET", "/api-defaults", undefined, { apiDefaults: "careful" }),
  "management: limits, set": manage("PUT", "/limits", { tableRows: 1_000 }, { tableRows: 1_000, apiCalls: 0 }),
  "management: limits": manage("GET", "/limits", undefined, { tableRows: 1_000, apiCalls: 0 }),
  "management: somebody": {
    call: ({ ask, ana }) => ask("PUT", `/management/users/${ana}`, { name: "Ana" }),
    sends: ({ ana }) => ["PUT", `/management/users/${ana}`, { name: "Ana" }],
    gives: ({ ana }) => ({ objectId: ana, name: "Ana" }),
  },
  "management: a role": manage("PUT", "/roles/Gardener", undefined, { name: "Gardener" }),
  "management: roles": manage("GET", "/roles", undefined, expect.arrayContaining(["Gardener", "JSUser"])),
  "management: a role, taken away": manage("DELETE", "/roles/Gardener", undefined, { deleted: true }),
  "management: a channel": manage("PUT", "/channels", { name: "garden" }, { name: "garden" }),
  "management: channels": manage("GET", "/channels", undefined, expect.arrayContaining([expect.objectContaining({ name: "garden" })])),
  "management: a template of mail, set": manage(
    "PUT",
    "/email-templates/Seeds",
    { subject: "Seeds", text: "They are here." },
    { name: "Seeds" },
  ),
  "management: a template of mail": manage("GET", "/email-templates/Seeds", undefined, { name: "Seeds", text: "They are here.", html: "" }),
  "management: a template of pushes, set": manage(
    "PUT",
    "/push-templates/Rain",
    { body: "It rains, {name}." },
    { name: "Rain", os: "ALL" },
  ),
  "management: a template of pushes": manage("GET", "/push-templates/Rain", undefined, { name: "Rain", body: "It rains, {name}." }),
  "management: a flow, set": manage("PUT", "/flows/Harvest", { enabled: false }, { name: "Harvest", enabled: false }),
  "management: a flow": manage("GET", "/flows/Harvest", undefined, { name: "Harvest", enabled: false }),
};

/** The reset, last of all. */
export const RESET: Lines = { "management: reset": manage("POST", "/reset", { confirm: APP }, { emptied: true }) };
