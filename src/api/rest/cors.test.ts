import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => void (testApi = await startTestApi(database)));
beforeEach(() => testApi.forget());
afterAll(() => testApi.close());

describe("browser of another origin", () => {
  test("may call the API and read its answers and refusals", async () => {
    const preflight = await fetch(`${testApi.origin()}/${APP}/${CLIENT}/services/Any/thing`, {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-own, user-token",
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
      "access-control-allow-headers": "content-type, user-token, bl-execution-type, x-own, user-token",
    });
    for (const path of ["/api/info", "/api/nothing", `/${APP}/${"X".repeat(40)}/info`])
      expect((await testApi.call("GET", path)).headers.get("access-control-allow-origin")).toBe("*");
  });

  test("gets no header name back that the API does not know", async () => {
    const { headers } = await fetch(`${testApi.origin()}/api/info`, {
      method: "OPTIONS",
      headers: { "access-control-request-headers": "a: b" },
    });
    expect(headers.get("access-control-allow-headers")).toBe("content-type, user-token, bl-execution-type");
  });
});
