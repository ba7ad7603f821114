import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { COMMUNITY_SERVICES } from "#community/services";
import { API_ENTITIES } from "#community/api-entities";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  type TestRestApi,
  SERVER,
} from "../../../test/support/rest/rest-server.ts";
import { ENDPOINTS } from "../rest/index.ts";
import { formatPath } from "./describe-endpoint.ts";
import { serveDocs } from "./index.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database, {}, serveDocs);
});
afterAll(() => testApi.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${testApi.origin()}${path}`, { headers });
type Json = Record<string, unknown>;

describe("API documentation page", () => {
  test("lists all services, entities and endpoints with their URLs", async () => {
    const answer = await get("/api/docs");
    const page = await answer.text();
    for (const { entity, name } of COMMUNITY_SERVICES)
      expect(page).toContain(`POST /services/${entity}/${name}<`);
    for (const { name } of API_ENTITIES) expect(page).toContain(`<details id="${name}">`);
    for (const { path } of ENDPOINTS) expect(page).toContain(formatPath(path));
    expect(page).toContain(`Backendless.initApp(&quot;${APP}&quot;, &quot;${CLIENT}&quot;)`);
    expect(page).not.toContain(SERVER);
  });

  test("loads no external resource and runs no script", async () => {
    const answer = await get("/api/docs");
    const page = await answer.text();
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+';/,
    );
    expect(page).not.toMatch(/<(script|link|img|iframe)|\bsrc=|\bon\w+=|style="/);
  });

  test("returns 304 until the content changes", async () => {
    for (const path of ["/api/docs", "/api/docs/openapi.json"]) {
      const etag = (await get(path)).headers.get("etag")!;
      expect((await get(path, { "if-none-match": etag })).status).toBe(304);
      expect((await get(path, { "if-none-match": '"another"' })).status).toBe(200);
    }
  });

  test("lists extension services only while they are loaded", async () => {
    const { services } = testApi.app;
    const page = async () => (await get("/api/docs")).text();
    const described = async () => (await (await get("/api/docs/openapi.json")).json()) as { paths: Json };
    expect(await page()).not.toContain("Guestbook/sign");
    const schema = { type: "object", properties: { words: { type: "string" } } };
    services.setOwn([
      {
        service: "Guestbook",
        name: "sign",
        about: "Signs.",
        input: z.unknown(),
        schema,
        run: async () => null,
      },
    ]);
    expect(await page()).toContain("POST /services/Guestbook/sign<");
    const operation = { requestBody: { content: { "application/json": { schema } } } };
    expect((await described()).paths["/services/Guestbook/sign"]).toMatchObject({ post: operation });
    services.setOwn([]);
    expect(await page()).not.toContain("Guestbook/sign");
  });

  test("includes a valid OpenAPI 3.1 document with a schema for every service", async () => {
    const answer = await get("/api/docs/openapi.json");
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const text = await answer.text();
    const described = JSON.parse(text) as {
      openapi: string;
      paths: Record<string, Record<string, Json>>;
      components: { schemas: Json };
      servers: { url: string }[];
    };
    expect(described.openapi).toBe("3.1.0");
    expect(described.servers).toEqual([{ url: `${testApi.origin()}/${APP}/${CLIENT}` }]);
    const join = described.paths["/services/Groups/join"]!["post"] as {
      requestBody: { content: Record<string, { schema: Json }> };
    };
    expect(join.requestBody.content["application/json"]!.schema).toMatchObject({
      type: "object",
      required: ["groupId"],
      properties: { groupId: { type: "string", format: "uuid" } },
    });
    for (const { entity, name } of COMMUNITY_SERVICES)
      expect(Object.keys(described.paths)).toContain(`/services/${entity}/${name}`);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((name) => !Object.hasOwn(described.components.schemas, name))).toEqual([]);
    const operations = Object.values(described.paths).flatMap((path) =>
      Object.values(path).map((it) => it["operationId"]),
    );
    expect(new Set(operations).size).toBe(operations.length);
    // Every name in braces in a path must be declared as a parameter.
    for (const [path, methods] of Object.entries(described.paths))
      for (const operation of Object.values(methods)) {
        const parameters = (operation["parameters"] ?? []) as { name: string; in: string }[];
        const named = parameters.filter((it) => it.in === "path").map(({ name }) => `{${name}}`);
        expect([path, named]).toEqual([path, path.match(/\{\w+\}/g) ?? []]);
      }
  });
});
