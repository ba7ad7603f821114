import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { savePushTemplate } from "#baas/devices";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(() => testApi.forget());

const KEYS = `/${APP}/${CLIENT}`;
const call = async (method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await testApi.call(method, path, body);
  return { status, body: answer as unknown };
};

describe("calls of other SDKs", () => {
  test("can get the socket address from /rt/lookup", async () => {
    for (const base of [KEYS, "/api"])
      expect(await call("GET", `${base}/rt/lookup`)).toEqual({ status: 200, body: testApi.origin() });
  });

  test("can get the push templates of all device types", async () => {
    const template = {
      channel: null,
      title: "",
      subtitle: "",
      body: "Frost",
      sound: "",
      badge: null,
      headers: {},
    };
    await database.inTransaction(async (tx) => {
      for (const os of ["IOS", "ANDROID"] as const)
        await savePushTemplate(tx, { ...template, name: os.toLowerCase(), os });
    });
    expect((await call("GET", `${KEYS}/messaging/pushtemplates`)).body).toMatchObject({
      android: { type: "ANDROID" },
      ios: { type: "IOS" },
    });
    expect(Object.keys((await call("GET", `${KEYS}/messaging/pushtemplates/IOS`)).body as object)).toEqual([
      "ios",
    ]);
  });

  test.each(["key-value", "list", "map", "set", "sorted-set"])(
    "can check hive stores of %s for existing keys and delete one key",
    async (kind) => {
      const hive = `${KEYS}/hive/garden`;
      await call("POST", hive);
      const write: Record<string, [string, unknown]> = {
        "key-value": ["", { value: 1 }],
        list: ["/add-last", [1]],
        map: ["", { a: 1 }],
        set: ["/add", [1]],
        "sorted-set": ["/add", { items: [[1, "a"]] }],
      };
      for (const key of ["a", "b"])
        await call("PUT", `${hive}/${kind}/${key}${write[kind]![0]}`, write[kind]![1]);
      expect((await call("POST", `${hive}/${kind}/action/exists`, ["a", "b", "c"])).body).toBe(2);
      expect((await call("DELETE", `${hive}/${kind}/a`)).body).toBe(1);
      expect((await call("DELETE", `${hive}/${kind}/a`)).body).toBe(0);
      expect((await call("POST", `${hive}/${kind}/action/exist`, ["a", "b"])).body).toBe(1);
      await call("DELETE", hive);
    },
  );
});

describe("unsupported calls", () => {
  test.each(["/commerce/apple/verifyReceipt", "/commerce/apple/anything/else"])(
    "get a refusal that names the alternative: %s",
    async (path) => {
      const refused = await call("POST", `${KEYS}${path}`, { "receipt-data": "bm90aGluZw==" });
      expect(refused).toMatchObject({
        status: 404,
        body: { code: 404, message: expect.stringMatching(/Apple.*App Store Server API/) as string },
      });
    },
  );

  test("get a refusal that names the binary protocol", async () => {
    for (const path of [`${KEYS}/binary`, "/api/binary", "/v1/binary"]) {
      const answer = await fetch(testApi.origin() + path, {
        method: "POST",
        body: new Uint8Array([0, 3, 0, 0]),
        headers: { "content-type": "application/x-amf" },
      });
      expect([path, answer.status]).toEqual([path, 415]);
      expect(await answer.json()).toMatchObject({
        code: 415,
        message: expect.stringMatching(/binary protocol.*JSON/) as string,
      });
    }
  });

  test("get a refusal that names the place of application id and key", async () => {
    const answer = await fetch(`${testApi.origin()}/v1/data/Person`, {
      headers: { "application-id": APP, "secret-key": CLIENT },
    });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        code: 404,
        message: expect.stringMatching(/application id and .*key in the address/) as string,
        errorData: {},
      },
    ]);
  });
});
