import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEARCH_ENDPOINTS, SearchError } from "../../src/api/search/index.ts";
import { wrongFields } from "../support/rest/wrong-fields.ts";
import {
  createFakeEngine,
  createTestDocument,
  KEY,
  startTestSearchApi,
  SERVER_KEY,
  type TestSearchApi,
} from "../support/search/search-api.ts";

const { engine } = createFakeEngine([createTestDocument("post-1", { title: "Bean soup", tags: ["beans"] })]);
let api: TestSearchApi;
beforeAll(async () => void (api = await startTestSearchApi(engine)));
afterAll(() => api.server.close());

/** Values of which at least one is wrong for any parameter that is not free; null means none. */
const CANDIDATES: unknown[] = [{ a: 1 }, 7.5, -1, "\u0001"];

describe.each(SEARCH_ENDPOINTS)("$method $path", ({ method, path, permission, body, response, example }) => {
  const url = path
    .replace(/^\/1/, "")
    .replace(":all", "*")
    .replace(/:(\w+)/g, (_, name: string) => example.params?.[name] ?? "")
    .replace("key-of-the-caller", KEY);
  const key = permission.caller === "server key" ? SERVER_KEY : KEY;
  const send = (sent: unknown = example.body, by = key) =>
    api.call(url, sent, by, { method: method as "GET" });

  test("responds to its example request as declared", async () => {
    const answer = await send();
    expect([answer.statusCode, response?.safeParse(answer.json()).error?.message]).toEqual([200, undefined]);
  });

  test.runIf(permission.refusal)("refuses the public key", async () => {
    const answer = await send(example.body, KEY);
    expect([answer.statusCode, SearchError.safeParse(answer.json()).success]).toEqual([
      permission.refusal?.status,
      true,
    ]);
  });

  test.runIf(body)("rejects an invalid field and names it in the error", async () => {
    for (const [name, value] of wrongFields(body, example.body, CANDIDATES)) {
      const answer = await send({ ...(example.body as object), [name]: value });
      expect([name, answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
        name,
        400,
        expect.stringContaining(name),
      ]);
    }
  });
});
