import Fastify, { type RouteOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENDPOINTS, createRestApi } from "../../src/api/rest/index.ts";
import { SEARCH_ENDPOINTS, serveSearch } from "../../src/api/search/index.ts";
import { serveDocs } from "../../src/api/openapi/index.ts";
import { APP, translateToEnglish, startTestApi, type TestRestApi } from "../support/rest/rest-server.ts";
import { createFakeEngine } from "../support/search/search-api.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
let api: TestRestApi;
beforeAll(async () => void (api = await startTestApi(database)));
afterAll(() => api.close());

/** Routes that are no endpoints, each with the reason. */
const UNDECLARED: [route: RegExp, reason: string][] = [
  [/^OPTIONS /, "preflight requests"],
  [/^GET \/api\/docs(\/openapi\.json)?$/, "the documentation of the endpoints"],
  [/^\w+ (\/api|\/\w+\/:apiKey|\/1)\/\*$/, "refuses what has no endpoint"],
  [/^\w+ \/:appId\(.+\)\/:apiKey\/\*$/, "refuses unknown application ids"],
  [/^\w+ \/v1\/(binary|\*)$/, "refuses addresses of SDKs without an application id"],
  [
    /^\w+ \/1\/(indexes|keys|logs|clusters|dictionaries|security|task|places|strategies|usage)(\/\*)?$/,
    "refuses what no search key may do",
  ],
];

/** Every route that a server with the whole API has registered. */
async function listRoutes() {
  const server = Fastify({ exposeHeadRoutes: false });
  const routes: string[] = [];
  server.addHook("onRoute", ({ method, url }: RouteOptions) => {
    routes.push(...[method].flat().map((it) => `${it} ${url}`));
  });
  await createRestApi(api.app, translateToEnglish).serve(server);
  await serveSearch(server, {
    ...api.app,
    ...createFakeEngine([]),
    seal: Buffer.alloc(32),
    findSession: async () => null,
    findToken: async () => null,
  });
  serveDocs(server, api.app);
  await server.close();
  return routes;
}

test("every route of the API is declared or listed with the reason why not", async () => {
  const declared = new Set(
    ["/api", `/${APP}/:apiKey`].flatMap((prefix) =>
      ENDPOINTS.map(({ method, path }) => `${method} ${prefix}${path}`),
    ),
  );
  for (const { method, path } of SEARCH_ENDPOINTS) declared.add(`${method} ${path}`);
  const routes = await listRoutes();
  expect(routes.length).toBeGreaterThan(500);
  const undeclared = routes.filter((route) => !declared.has(route));
  expect(undeclared.filter((route) => !UNDECLARED.some(([known]) => known.test(route)))).toEqual([]);
  expect([...declared].filter((route) => !routes.includes(route))).toEqual([]);
  // A reason without a route is out of date.
  expect(UNDECLARED.filter(([known]) => !undeclared.some((route) => known.test(route)))).toEqual([]);
});
