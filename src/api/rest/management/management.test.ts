import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getDataConfig } from "#baas/data";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let production: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database, { allowReset: true });
  production = await startTestApi(database, { production: true });
});
beforeEach(() => (testApi.forget(), production.forget()));
afterAll(async () => {
  await testApi.close();
  await production.close();
});

const manage = async (method: string, path: string, body?: unknown, at = testApi) =>
  (await at.call(method, `/${APP}/${SERVER}/management${path}`, body)).body;
const audited = () =>
  many(
    database.db,
    sql<{ it: string }>`select act || ' ' || object_id as it from audit_events order by at, id`,
  );

const BY_SERVER: [string, string, unknown?][] = [
  ["GET", "/keys"],
  ["POST", "/data/table", { name: "Beds" }],
  ["GET", "/data/tables"],
  ["DELETE", "/data/table/Beds"],
  ["POST", "/data/table/Beds/columns", { name: "size", dataType: "INT" }],
  [
    "POST",
    "/data/table/Beds/columns/relation",
    { name: "owner", toTable: "Users", relationshipType: "ONE_TO_ONE" },
  ],
  ["PUT", "/data/table/Beds/columns/size", { required: true }],
  ["DELETE", "/data/table/Beds/columns/size"],
  ["GET", "/data/config"],
  ["PUT", "/data/config", { dynamicSchema: false }],
  ["GET", "/data/table/Beds/access"],
  ["PUT", "/data/table/Beds/access", {}],
  ["GET", "/users/registration"],
  ["PUT", "/users/registration", {}],
  ["GET", "/users/login"],
  ["PUT", "/users/login", {}],
  ["GET", "/api-defaults"],
  ["PUT", "/api-defaults", { apiDefaults: "hosted" }],
  ["GET", "/limits"],
  ["PUT", "/limits", {}],
  ["PUT", "/users/01900000-0000-7000-8000-000000000000", { name: "X" }],
  ["GET", "/roles"],
  ["PUT", "/roles/Editor"],
  ["DELETE", "/roles/Editor"],
  ["GET", "/channels"],
  ["PUT", "/channels", { name: "garden" }],
  ["GET", "/email-templates/Seeds"],
  ["PUT", "/email-templates/Seeds", { subject: "Seeds", text: "Here." }],
  ["GET", "/push-templates/Rain"],
  ["PUT", "/push-templates/Rain", { body: "Rain" }],
  ["GET", "/flows/Harvest"],
  ["PUT", "/flows/Harvest", {}],
  ["POST", "/reset", { confirm: APP }],
];

describe("management API", () => {
  test.each(BY_SERVER)("requires the server key for %s %s", async (method, path, body) => {
    for (const at of [`/${APP}/${CLIENT}/management${path}`, `/api/management${path}`])
      expect(await testApi.call(method, at, body)).toMatchObject({ status: 403, body: { code: 2011 } });
    expect(await audited()).toEqual([]);
  });

  test("creates and updates channels, templates and automations by name", async () => {
    expect(await manage("PUT", "/channels", { name: "garden" })).toEqual({ name: "garden" });
    const now = database.clock.at.getTime();
    expect(await manage("GET", "/channels")).toEqual([
      { name: "garden", created: now, used: now, waiting: 0 },
    ]);
    expect(await manage("GET", "/channels?after=garden")).toEqual([]);
    const triggers = [{ kind: "call", name: "Begin" }];
    const definitions: [string, object, object, object][] = [
      [
        "/email-templates/Seeds",
        { subject: "Seeds", text: "Here." },
        { html: "" },
        { subject: "Beans", text: "There." },
      ],
      [
        "/push-templates/Rain%20soon",
        { body: "Rain" },
        { os: "ALL", channel: null, badge: null, headers: {} },
        { body: "No rain", os: "WEB" },
      ],
      ["/flows/Harvest", { definition: { triggers, steps: [] } }, { enabled: false }, { enabled: true }],
    ];
    for (const [path, definition, besides, changes] of definitions) {
      expect(await manage("GET", path)).toMatchObject({ code: path.startsWith("/email") ? 24002 : 404 });
      const first = await manage("PUT", path, definition);
      expect(first).toMatchObject({ ...definition, ...besides });
      expect(await manage("GET", path)).toEqual(first);
      expect(await manage("PUT", path, first)).toEqual(first);
      expect(await manage("PUT", path, changes)).toMatchObject(changes);
    }
    expect(await manage("GET", "/flows/Harvest")).toMatchObject({ enabled: true, definition: { triggers } });
  });

  test.each([
    ["/channels", { name: "discussion:x" }, 403],
    ["/channels", {}, 422],
    ["/email-templates/Seeds", { subject: "Nothing said" }, 422],
    ["/email-templates/Seeds", ["no object"], 422],
    ["/push-templates/Rain", { title: "No words" }, 422],
    ["/push-templates/Rain", { body: "Rain", channel: "a/b" }, 422],
    ["/flows/Harvest", { definition: { triggers: 7 } }, 422],
    ["/flows/Harvest", { enabled: "yes" }, 422],
  ])("refuses an invalid definition: %s %j", async (path, body, code) => {
    expect(await manage("PUT", path, body)).toMatchObject({ code });
    for (const table of ["channels", "mail_templates", "push_templates", "automations"])
      expect(await many(database.db, sql`select 1 from ${sql.id(table)}`)).toEqual([]);
  });

  test("returns the API keys, and audits every call", async () => {
    expect(await manage("GET", "/keys")).toEqual({
      appId: APP,
      clientKey: CLIENT,
      serverKey: SERVER,
      searchKey: "F".repeat(40),
    });
    expect(await manage("DELETE", "/roles/Nobody")).toMatchObject({ code: 2005 });
    expect((await audited()).map(({ it }) => it)).toEqual([
      "management.called GET /keys",
      "management.called DELETE /roles/:name",
    ]);
  });

  test("creates, changes and deletes tables with columns and relations", async () => {
    const created = await manage("POST", "/data/table", {
      name: "Beds",
      columns: [{ name: "title", dataType: "STRING", required: true }],
    });
    expect(created).toMatchObject({ name: "Beds", published: false });
    expect(
      await manage("POST", "/data/table/Beds/columns", { name: "area", dataType: "DOUBLE" }),
    ).toMatchObject({
      name: "area",
      dataType: "DOUBLE",
    });
    expect(await manage("PUT", "/data/table/Beds/columns/area", { indexed: true })).toMatchObject({
      name: "area",
      indexed: true,
    });
    await manage("POST", "/data/table", { name: "Plants" });
    const relation = { name: "plants", toTable: "Plants", relationshipType: "ONE_TO_MANY" };
    expect(await manage("POST", "/data/table/Beds/columns/relation", relation)).toMatchObject(relation);
    expect(
      await manage("PUT", "/data/table/Beds/access", { AuthenticatedUser: { find: true, create: false } }),
    ).toEqual({
      AuthenticatedUser: { find: true, create: false },
    });
    expect(await manage("DELETE", "/data/table/Beds/columns/area")).toEqual({ deleted: true });
    const tables = (await manage("GET", "/data/tables")) as unknown as {
      name: string;
      relations: { name: string }[];
    }[];
    expect(
      tables
        .filter(({ name }) => ["Beds", "Plants"].includes(name))
        .map(({ name, relations }) => [name, relations.map((it) => it.name)]),
    ).toEqual([
      ["Beds", ["plants"]],
      ["Plants", []],
    ]);
    for (const name of ["Beds", "Plants"])
      expect(await manage("DELETE", `/data/table/${name}`)).toEqual({ deleted: true });
    expect(await manage("GET", "/data/table/Beds/access")).toMatchObject({ code: 1009 });
  });

  test("creates tables through the SDK", async () => {
    const sdk = testApi.sdk(SERVER) as unknown as {
      Management: { Data: { createTable: (name: string, columns: object[]) => Promise<object> } };
    };
    expect(
      await sdk.Management.Data.createTable("Sheds", [{ name: "roof", dataType: "STRING" }]),
    ).toMatchObject({ name: "Sheds" });
    await manage("DELETE", "/data/table/Sheds");
  });

  test("requires a confirmation to open all tables in production", async () => {
    expect(await manage("PUT", "/data/config", { defaultAccess: "open" }, production)).toMatchObject({
      code: 422,
    });
    expect((await getDataConfig(production.app.tables)).defaultAccess).toBe("members");
    expect(
      await manage("PUT", "/data/config", { defaultAccess: "open", iUnderstand: true }, production),
    ).toMatchObject({
      defaultAccess: "open",
    });
    expect(await manage("PUT", "/data/config", { defaultAccess: "members", dynamicSchema: true })).toEqual({
      defaultAccess: "members",
      dynamicSchema: true,
    });
  });
});
