import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDocument,
  APP,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
} from "../../../test/support/search/search-api.ts";

const { engine } = createFakeEngine([
  createTestDocument("d1", {
    title: "Hello",
    tags: ["soil", "__proto__"],
    body: "__ais-highlight__Hello <em>there",
  }),
]);
let testApi: TestSearchApi;
beforeAll(async () => {
  testApi = await startTestSearchApi(engine);
  testApi.limits.take = async () => {};
});
afterAll(() => testApi.server.close());

const one = (params: unknown) => testApi.call("/indexes/posts/query", params);

describe("browser requests", () => {
  test("work from any origin, including preflight requests", async () => {
    const headers = {
      origin: "https://community.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-algolia-api-key, x-algolia-application-id",
    };
    const before = await testApi.server.inject({ method: "OPTIONS", url: "/1/indexes/*/queries", headers });
    expect([before.statusCode, before.headers]).toMatchObject([
      204,
      {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "x-algolia-api-key, x-algolia-application-id",
        "access-control-max-age": "86400",
      },
    ]);
    for (const answer of [
      await one({}),
      await one("{"),
      await testApi.call("/nothing", {}),
      await testApi.call("/indexes/posts/query", {}, "wrong"),
    ]) {
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "private, no-store",
      });
      expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
    }
  });

  test("may have the key in the URL, in any letter case", async () => {
    const keys = `X-Algolia-API-Key=${KEY}&x-algolia-application-id=${APP}`;
    const url = `/1/indexes/posts/query?${keys}&x-algolia-agent=a&foo=bar`;
    expect(
      (
        await testApi.server.inject({
          method: "POST",
          url,
          payload: "{}",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        })
      ).statusCode,
    ).toBe(200);
    expect(
      (
        await testApi.server.inject({
          method: "POST",
          url: "/1/indexes/posts/query",
          headers: { cookie: `kith_session=${KEY}` },
        })
      ).statusCode,
    ).toBe(403);
  });

  test("to unknown paths get an error", async () => {
    expect((await testApi.call("/nothing", {})).json()).toEqual({
      message: "Path not supported by this API",
      status: 404,
    });
    expect((await testApi.call("/answers/posts/prediction", {})).statusCode).toBe(404);
    expect((await testApi.call("/indexes/posts/settings", {}, KEY, { method: "PUT" })).statusCode).toBe(403);
  });
});
