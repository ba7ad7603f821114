import { request as ask } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTable, changeDataConfig } from "#baas/data";
import { run, sql } from "#platform/database";
import { countCases, FUZZ_TIMEOUT } from "../../../test/support/fuzz-cases.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { decodePathPart } from "./url-normalization.ts";
import { parseBody } from "./parse-body.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  type TestRestApi,
  SERVER,
} from "../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => void (testApi = await startTestApi(database)));
beforeEach(() => testApi.forget());
afterAll(() => testApi.close());

/** Sends the URL unchanged, without normalization. */
const raw = (method: string, path: string, headers: Record<string, string> = {}, body = "") =>
  new Promise<{ status: number; body: string }>((done, failed) => {
    const sent = ask(testApi.origin(), { method, path, headers }, (answer) => {
      let text = "";
      answer
        .on("data", (chunk) => (text += String(chunk)))
        .on("end", () => done({ status: answer.statusCode!, body: text }));
    });
    sent.on("error", failed).end(body);
  });

/** Announces a body length without sending it, and returns the answer. */
const announcing = (path: string, length: number) =>
  new Promise<{ status: number; code: number }>((done, failed) => {
    const headers = { "content-type": "application/json", "content-length": String(length) };
    const sent = ask(testApi.origin(), { method: "POST", path, headers }, (answer) => {
      let text = "";
      answer
        .on("data", (chunk) => (text += String(chunk)))
        .on("end", () => {
          done({ status: answer.statusCode!, code: (JSON.parse(text) as { code: number }).code });
          sent.destroy();
        });
    });
    sent.on("error", failed).flushHeaders();
  });

describe("request with a long body", () => {
  test("gets refused before the body arrives when its URL is invalid", async () => {
    await changeDataConfig(testApi.app.tables, { dynamicSchema: false });
    await createTable(testApi.app.tables, { name: "Thing" });
    const answers = await Promise.all(
      [`${CLIENT}/data/bulk/Thing`, `${SERVER}/data/bulk/None`, `${SERVER}/data/bulk/Notifications`].map(
        (path) => announcing(`/${APP}/${path}`, 19_000_000),
      ),
    );
    expect(answers).toEqual([
      { status: 403, code: 1011 },
      { status: 400, code: 1009 },
      { status: 403, code: 1011 },
    ]);
    await changeDataConfig(testApi.app.tables, { dynamicSchema: true });
    expect((await testApi.call("POST", `/${APP}/${SERVER}/data/bulk/Thing`, [{}, {}])).status).toBe(200);
    expect((await testApi.call("POST", `/${APP}/${SERVER}/data/bulk/Fresh`, [{}, {}])).status).toBe(200);
    expect((await testApi.call("POST", `/${APP}/${CLIENT}/data/bulk/Fresher`, [{}])).body).toMatchObject({
      code: 1009,
    });
  });
});

describe("REST URLs", () => {
  test.each([
    [`/${APP}/${CLIENT}/info`, 200],
    [`/${APP}/${SERVER}/info`, 200],
    [`//${APP}//${CLIENT}///info`, 200],
    ["/api/info", 200],
    ["//api//info", 200],
    [`/${APP}/${CLIENT}/info?x=//`, 200],
    [`/${APP}/${"X".repeat(40)}/info`, 2002],
    [`/${"X".repeat(40)}/${CLIENT}/info`, 2002],
    [`/${APP}/${CLIENT}%20/info`, 2002],
    [`/${APP.toLowerCase()}/${CLIENT}/info`, 2002],
    [`/${APP}/__proto__/info`, 2002],
    [`/${APP}/${CLIENT}/nothing/of/that/kind`, 404],
    ["/api/nothing", 404],
    [`/${APP}/${CLIENT}/users`, 404],
  ])("%s → %i", async (path, wanted) => {
    const { status, body } = await raw("GET", path);
    if (wanted === 200) expect([status, (JSON.parse(body) as { appId: string }).appId]).toEqual([200, APP]);
    else expect((JSON.parse(body) as { code: number }).code).toBe(wanted);
  });

  test("have double-escaped parts decoded and invalid characters removed", () => {
    expect(["a%2Cb", "a%2cb%3Bc", "50%", "a\0b", "\ud800x😀"].map(decodePathPart)).toEqual([
      "a,b",
      "a,b;c",
      "50%",
      "ab",
      "\ufffdx😀",
    ]);
  });

  test(
    "cannot make the parser fail",
    async () => {
      const part = fc.oneof(
        fc.webSegment(),
        fc.constantFrom(
          "",
          "..",
          "%2e%2e",
          "%00",
          "%",
          "%zz",
          APP,
          CLIENT,
          SERVER,
          "users",
          "login",
          "data",
          "info",
        ),
      );
      const path = fc.array(part, { maxLength: 8 }).map((parts) => `/${APP}/${CLIENT}/${parts.join("/")}`);
      const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS");
      await testApi.set({ apiCalls: 0 });
      await fc.assert(
        fc.asyncProperty(method, path, async (verb, where) => {
          const { status } = await raw(verb, where);
          expect(status).toBeLessThan(500);
        }),
        { numRuns: countCases(150) },
      );
    },
    FUZZ_TIMEOUT,
  );
});

describe("request body", () => {
  const json = "application/json; charset=utf-8";
  test.each([
    ["", json, undefined],
    ['"s"', json, "s"],
    ["1", json, 1],
    ["true", json, true],
    ["null", json, null],
    ['["a"]', json, ["a"]],
    ["[1]", undefined, "[1]"],
    ["a text", "text/plain", "a text"],
    [String.raw`{"a":"x\u0000y","b\u0000":1}`, json, { a: "xy", b: 1 }],
    [String.raw`{"a":"\ud83d\ude00","b":"\ud83d"}`, json, { a: "😀", b: "\ufffd" }],
    [String.raw`{"\u005f_proto__":{"admin":true},"a":1}`, json, { a: 1 }],
  ])("%j as %s becomes %j", (text, type, value) => {
    expect(parseBody(text, type)).toEqual(value);
  });

  test.each([
    ["{", json, "invalid"],
    ["[".repeat(101) + "]".repeat(101), json, "invalid"],
    ['{"a":'.repeat(50_000), json, "invalid"],
    ["a=1", "application/x-www-form-urlencoded", "wrong-type"],
    ["<a/>", "text/xml", "wrong-type"],
  ])("%.30j as %s is refused", (text, type, reason) => {
    expect(() => parseBody(text, type)).toThrow(expect.objectContaining({ reason }));
  });

  test("accepts the maximum depth, not counting brackets in texts", () => {
    const deepest = "[".repeat(100) + "]".repeat(100);
    expect(JSON.stringify(parseBody(deepest, json))).toBe(deepest);
    const text = JSON.stringify(`"\\${"[".repeat(500)}`);
    expect(parseBody(text, json)).toBe(JSON.parse(text));
  });

  test("cannot exceed the maximum length", async () => {
    const answer = await raw(
      "POST",
      "/api/users/login",
      { "content-type": "application/json" },
      JSON.stringify("x".repeat(1_100_000)),
    );
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      413,
      { code: 413, message: "This is too large." },
    ]);
  });
});

test("private community returns the socket URL even to guests", async () => {
  await testApi.set({ audience: "private" });
  expect((await testApi.call("GET", "/api/info")).body).toMatchObject({ rtURL: testApi.origin() });
  expect((await testApi.call("GET", "/api/rt/lookup")).body).toBe(testApi.origin());
  expect((await testApi.call("GET", "/api/info", undefined, { "user-token": "made-up" })).body).toMatchObject(
    {
      code: 3064,
    },
  );
  expect((await testApi.call("GET", "/api/users/userroles")).status).toBe(401);
  await testApi.set({ audience: "public" });
});

describe("API credentials", () => {
  test("get a separate error code when the user token is unknown", async () => {
    const { status, body } = await testApi.call("GET", "/api/info", undefined, { "user-token": "made-up" });
    expect([status, body]).toEqual([
      400,
      {
        code: 3064,
        message: "Not existing user token - made-up. Relogin user to update your user token",
        errorData: {},
      },
    ]);
  });

  test.each([
    "null",
    "' or '1'='1",
    "x".repeat(9_000),
    "%00",
    "\\x00",
    "__proto__",
    "{}",
    "a,b",
    SERVER,
    CLIENT,
  ])("count as unknown with the made-up user token %.20s", async (token) => {
    const { body } = await testApi.call("GET", "/api/info", undefined, { "user-token": token });
    expect(body).toMatchObject({ code: 3064 });
    expect(
      (await testApi.call("GET", `/api/users/isvalidusertoken/${encodeURIComponent(token.slice(0, 400))}`))
        .text,
    ).toBe("false");
  });

  test.each([
    `${SERVER}'`,
    `${SERVER}%00`,
    `${SERVER}%20`,
    CLIENT.toLowerCase(),
    "undefined",
    "null",
    "..%2f..",
    "x".repeat(400),
  ])("get refused with the made-up API key %.50s", async (key) => {
    expect((await testApi.call("GET", `/${APP}/${key}/management/keys`)).body).toMatchObject({ code: 2002 });
  });

  test("do not exempt a request with an invalid user token from the rate limit", async () => {
    await testApi.set({ apiCalls: 3 });
    const call = async (token: string) =>
      (await raw("GET", `/${APP}/${CLIENT}/users/userroles`, { "user-token": token })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push(await call(`made-up-${n}`));
    expect(statuses.slice(3)).toEqual([429, 429]);
    expect(statuses[0]).not.toBe(429);
  });

  test("in a cookie get ignored", async () => {
    const id = await testApi.member("mira");
    await database.inTransaction((tx) =>
      run(tx, sql`update people set site_role = 'admin' where id = ${id}`),
    );
    expect(
      (
        await testApi.call("GET", "/api/info", undefined, {
          cookie: "kith_session=anything; user-token=anything",
        })
      ).status,
    ).toBe(200);
  });
});
