import { algoliasearch } from "algoliasearch";
import algoliasearch4 from "algoliasearch-v4";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createTestDocument,
  APP,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
  SESSION,
} from "../../../test/support/search/search-api.ts";
import type { Viewer } from "#community/rules";
import { deriveKey, isAllowedSource } from "./search-keys.ts";

const { engine, queries } = createFakeEngine([
  createTestDocument("d1", { title: "Hello", tags: ["soil"] }),
  createTestDocument("d2", { title: "Hello members", isPublic: false, tags: ["quittenmus"] }),
]);
let testApi: TestSearchApi;
beforeAll(async () => void (testApi = await startTestSearchApi(engine)));
afterAll(() => testApi.server.close());
beforeEach(() => {
  queries.length = 0;
  testApi.state.now = new Date("2026-05-04T09:00:00Z");
  testApi.state.audience = "public";
});

// This function also exists under Node, although the package's types declare it only for browsers.
const five = algoliasearch(APP, KEY) as unknown as {
  generateSecuredApiKey: (from: { parentApiKey: string; restrictions: object }) => string;
};
const four = algoliasearch4(APP, KEY);
const secured = (restrictions: object, parentApiKey = KEY) =>
  five.generateSecuredApiKey({ parentApiKey, restrictions });
const soon = () => Math.floor(testApi.state.now.getTime() / 1_000) + 60;
const query = (key: string, params: object = {}, index = "posts") =>
  testApi.call(`/indexes/${index}/query`, params, key);
const INVALID = { message: "Invalid Application-ID or API key", status: 403 };

describe("derived search key with either client", () => {
  test.each([
    [
      "version 5",
      () =>
        secured({
          filters: "tags:a",
          restrictIndices: ["posts", "people"],
          validUntil: soon(),
          userToken: "x",
        }),
    ],
    [
      "version 4",
      () =>
        four.generateSecuredApiKey(KEY, {
          filters: "tags:a",
          restrictIndices: ["posts", "people"] as never,
          validUntil: soon(),
          userToken: "x",
        }),
    ],
  ])("%s: restricts the request to its filters and indices", async (_client, key) => {
    expect((await query(key(), { filters: "tags:b OR tags:c", userToken: "y" })).statusCode).toBe(200);
    expect(queries[0]).toMatchObject({
      viewer: { id: null },
      query: {
        filter: {
          and: [
            {
              or: [
                { facet: "tags", value: "b" },
                { facet: "tags", value: "c" },
              ],
            },
            { facet: "tags", value: "a" },
          ],
        },
      },
    });
    const elsewhere = await query(key(), {}, "groups");
    expect([elsewhere.statusCode, elsewhere.json()]).toEqual([
      403,
      { message: "Index not allowed with this API key", status: 403 },
    ]);
  });

  test("adds its filters to those of the request", async () => {
    await query(secured({ facetFilters: ["tags:a"], numericFilters: ["likes>3"], hitsPerPage: 2 }), {
      hitsPerPage: 50,
      facetFilters: ["tags:b"],
    });
    expect(queries[0]!.query).toMatchObject({
      length: 2,
      filter: {
        and: [
          { facet: "tags", value: "b" },
          {
            and: [
              { facet: "tags", value: "a" },
              { number: "likes", is: ">", to: 3 },
            ],
          },
        ],
      },
    });
  });

  test("with filters cannot read records by id", async () => {
    const body = { requests: [{ indexName: "posts", objectID: "d1" }] };
    expect((await testApi.call("/indexes/*/objects", body, secured({ filters: "tags:a" }))).statusCode).toBe(
      403,
    );
    expect(
      (await testApi.call("/indexes/*/objects", body, secured({ restrictIndices: ["posts"] }))).statusCode,
    ).toBe(200);
    expect(
      (await testApi.call("/indexes/*/objects", body, secured({ restrictIndices: ["people"] }))).statusCode,
    ).toBe(403);
  });

  test.each<[string, () => string]>([
    ["expired", () => secured({ validUntil: soon() - 61 })],
    ["with an invalid expiry", () => secured({ validUntil: "never" })],
    ["for another network", () => secured({ restrictSources: "10.0.0.0/8,2001:db8::1" })],
    ["derived from another key", () => secured({ filters: "tags:a" }, "another key of somebody")],
    ["derived from an empty key", () => deriveKey("", { filters: "tags:a" })],
    ["with a claimed session", () => deriveKey(KEY.toLowerCase(), { session: SESSION })],
    ["truncated", () => secured({ filters: "tags:a" }).slice(0, 60)],
    ["very long", () => "a".repeat(20_000)],
    ["empty", () => ""],
  ])("gets refused: %s", async (_what, key) => {
    const refused = await query(key());
    expect([refused.statusCode, refused.json()]).toEqual([403, INVALID]);
    expect(queries).toEqual([]);
  });

  test("with one changed letter is invalid", async () => {
    const text = Buffer.from(secured({ filters: "tags:a" }), "base64").toString();
    for (const at of [0, 63, 64, text.length - 1]) {
      const forged = text.slice(0, at) + (text[at] === "b" ? "c" : "b") + text.slice(at + 1);
      expect((await query(Buffer.from(forged).toString("base64"))).statusCode).toBe(403);
    }
  });

  test("never represents a person, whatever its parameters claim", async () => {
    const found = await query(secured({ session: SESSION, userToken: SESSION }), { query: "hello" });
    expect(found.json<{ nbHits: number }>().nbHits).toBe(1);
    expect(queries[0]!.viewer.id).toBeNull();
  });

  test("works only from its allowed source addresses", async () => {
    expect((await query(secured({ restrictSources: "127.0.0.0/8" }))).statusCode).toBe(200);
    expect(isAllowedSource(["10.0.0.0/8", "2001:db8::/32"], "2001:db8::7")).toBe(true);
    expect(isAllowedSource(["nonsense", "10.0.0.0/99", "10.0.0.1"], "10.0.0.2")).toBe(false);
  });
});

describe("search key of a viewer", () => {
  test("finds what the viewer may see while the session lasts", async () => {
    const key = testApi.mirasKey();
    expect((await query(key, { query: "hello" })).json<{ nbHits: number }>().nbHits).toBe(2);
    testApi.state.sessions.delete(SESSION);
    expect((await query(key, { query: "hello" })).json()).toEqual(INVALID);
    testApi.state.sessions.set(SESSION, queries[0]!.viewer);
    testApi.state.now = new Date(testApi.state.now.getTime() + 13 * 3_600_000);
    expect((await query(key, { query: "hello" })).json()).toEqual(INVALID);
  });

  test("can search a private community, unlike other keys", async () => {
    testApi.state.audience = "private";
    expect((await query(KEY)).statusCode).toBe(403);
    expect((await query(secured({ filters: "tags:a" }))).statusCode).toBe(403);
    expect((await query(testApi.mirasKey())).statusCode).toBe(200);
  });

  test("cannot be used to derive other keys", async () => {
    expect((await query(secured({ session: SESSION }, testApi.mirasKey()))).statusCode).toBe(403);
  });
});

test("personal access token as the key searches as its person, and answers tell its limit", async () => {
  const token = "kith_pat_0000000000000000000000000000004KEoeE";
  const viewer: Viewer = {
    id: SESSION,
    role: "member",
    trust: "established",
    limited: false,
    scopes: ["discussions:read"],
  };
  const session = { id: SESSION, createdAt: testApi.state.now };
  testApi.state.tokens.set(token, { viewer, roles: [], session });
  testApi.state.apiCalls = 2;
  const sent = [await query(token, { query: "members" }), await query(token), await query(token)];
  expect(sent.map(({ statusCode, headers }) => [statusCode, headers["ratelimit-remaining"]])).toEqual([
    [200, "1"],
    [200, "0"],
    [429, undefined],
  ]);
  expect(sent[0]!.json()).toMatchObject({ hits: [{ objectID: "d2" }] });
  expect(queries[0]!.viewer).toEqual(viewer);
  testApi.state.apiCalls = 0;
  const browsed = await testApi.call("/indexes/posts/browse", {}, token);
  expect(browsed.statusCode).toBe(403);
  testApi.state.tokens.clear();
  expect((await query(token)).json()).toEqual(INVALID);
});
