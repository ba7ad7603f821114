import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTranslator, loadWebBuild } from "../../src/app/web-build.ts";
import { chooseLocale } from "../../src/web/i18n/locales.ts";
import { APP, CLIENT, startTestApi, type TestRestApi } from "../support/rest/rest-server.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => {
  const into = createTranslator(await loadWebBuild());
  testApi = await startTestApi(database, {
    translate: ({ headers }, message) => into(chooseLocale(headers["accept-language"] ?? ""), message),
  });
});
afterAll(() => testApi.close());
beforeEach(() => testApi.forget());

const call = async (language: string, method: string, path: string, body?: unknown) => {
  const { body: answer, headers } = await testApi.call(method, `/${APP}/${CLIENT}${path}`, body, {
    ...(language && { "accept-language": language }),
  });
  return { ...(answer as { code: number; message: string; errorData: object }), vary: headers.get("vary") };
};

describe("API errors", () => {
  test.each([
    ["de-CH,de;q=0.9,en;q=0.5", "Melde dich zuerst an."],
    ["fr", "Connectez-vous d’abord."],
    ["", "Sign in first."],
    ["*", "Sign in first."],
    ["xx", "Sign in first."],
  ])("use the language of Accept-Language: %s", async (language, message) => {
    const refused = await call(language, "POST", "/services/Groups/join", {
      groupId: "01900000-0000-7000-8000-0000000000aa",
    });
    expect(refused).toMatchObject({ code: 401, message, vary: expect.stringContaining("accept-language") });
  });

  test("with an error code of the Backendless API stay English", async () => {
    expect(await call("de", "GET", "/data/Nowhere")).toMatchObject({
      code: 1009,
      message: expect.stringContaining("Table not found by name 'Nowhere'"),
    });
  });

  test("name invalid fields in the requested language", async () => {
    expect(await call("de", "POST", "/services/Groups/join", {})).toMatchObject({
      code: 422,
      message: "groupId: Unbekannter Wert.",
      errorData: { fields: { groupId: "Unbekannter Wert." } },
    });
  });
});
