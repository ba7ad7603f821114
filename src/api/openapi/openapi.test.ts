import { Validator } from "@seriousme/openapi-schema-validator";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_ENTITIES } from "#community/api-entities";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { APP, openTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";
import { openRest, ROUTES } from "../rest/index.ts";
import { createFakeEngine } from "../../../test/support/search/search-api.ts";
import { serveSearch } from "../search/index.ts";
import { describeEndpoints, findStaleDescriptions } from "./endpoints.ts";
import { serveDocs } from "./index.ts";
import { SHAPES } from "./json-shapes.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let described: Record<string, unknown> & { paths: Record<string, Record<string, unknown>> };
beforeAll(async () => {
  testApi = await openTestApi(database, {}, serveDocs);
  described = (await (await fetch(`${testApi.origin()}/api/docs/openapi.json`)).json()) as typeof described;
});
afterAll(() => testApi.close());

/** Every endpoint the server has registered for the described APIs, in the form of the document. */
async function registered() {
  const server = Fastify({ exposeHeadRoutes: false });
  const found = new Set<string>();
  server.addHook("onRoute", ({ method, url }) => {
    // Catch-all routes and preflight requests are no endpoints.
    if (Array.isArray(method) || method === "OPTIONS") return;
    const [, prefix, path = ""] = new RegExp(`^(/api|/${APP}/:apiKey|/1)(/.*)$`).exec(url) ?? [];
    const named = prefix === "/1" ? `/1${path.replace(":all", "*")}` : path.replace("*", "{path}");
    if (prefix) found.add(`${method} ${named.replace(/:(\w+)/g, "{$1}")}`);
  });
  await openRest(testApi.app).serve(server);
  await serveSearch(server, { ...testApi.app, ...createFakeEngine([]), seal: Buffer.alloc(32) });
  await server.close();
  return found;
}
/** The documented endpoints; services are listed one by one. */
const documented = () =>
  new Set(
    Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} ${path.replace(/^\/services\/\w+\/\w+$/, "/services/{service}/{method}")}`,
      ),
    ),
  );

describe("OpenAPI document", () => {
  test("validates against the official OpenAPI 3.1 schema", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(described))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(
      (await new Validator().validate({ ...described, paths: { "/info": { get: { responses: 1 } } } })).valid,
    ).toBe(false);
  });

  test("contains every registered endpoint and no other", async () => {
    const all = [...(await registered())];
    expect(all.length).toBeGreaterThan(200);
    expect([...documented()].toSorted()).toEqual(all.toSorted());
  });

  test("describes purpose, request and response of every endpoint, and none that does not exist", () => {
    const calls = describeEndpoints(ROUTES);
    expect(
      calls
        .filter(({ about, exchange, declared }) => about === "" || (exchange === null && !declared))
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual([]);
    expect(findStaleDescriptions(ROUTES)).toEqual([]);
    // Shapes and entities share one namespace.
    expect(API_ENTITIES.filter(({ name }) => Object.hasOwn(SHAPES, name))).toEqual([]);
  });
});
