import { expect, test } from "vitest";
import { captureLog } from "../../../test/support/log/captured-log.ts";
import { findSecrets } from "../../../test/support/log/secrets-in-log.ts";
import {
  createTestDocument,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  SERVER_KEY,
} from "../../../test/support/search/search-api.ts";
import { REFUSED_ROUTES, SEARCH_ENDPOINTS } from "./search-routes.ts";

const TOKEN = "Zq3-x0fJYp7mN_sK2vT9cWbA5dLrEu1hGiOo4yXkQzR";
const MAIL = "mira.beetz@example.org";

test("search requests write no key, token or email address to the log", async () => {
  const { log, text } = captureLog();
  const testApi = await startTestSearchApi(
    createFakeEngine([createTestDocument("1", {})]).engine,
    () => {},
    log,
  );
  const keys = [KEY, SERVER_KEY, testApi.mirasKey(), TOKEN, MAIL];
  const routes = [
    ...SEARCH_ENDPOINTS.map(({ method, path }) => ({ method, url: path })),
    ...REFUSED_ROUTES.flatMap(({ method, url }) => method.map((it) => ({ method: it, url }))),
  ];
  for (const { method, url } of routes) {
    const path = url.replace(/^\/1/, "");
    for (const value of [TOKEN, KEY, encodeURIComponent(MAIL)])
      for (const key of keys) {
        const query = `?x-algolia-api-key=${key}&query=${encodeURIComponent(MAIL)}`;
        const body = {
          query: MAIL,
          requests: [{ indexName: TOKEN, query: MAIL, filters: `token:${TOKEN}` }],
          apiKey: key,
        };
        const sent = method === "GET" ? undefined : body;
        await testApi.call(path.replace(/:\w+|\*/g, value) + query, sent, key, { method });
      }
  }
  await testApi.server.close();
  expect(findSecrets(text(), keys)).toEqual([]);
  expect(text()).toContain('"msg":"answered"');
});

test("failed search is logged with its location, without token or email address", async () => {
  const { log, text } = captureLog();
  const { engine } = createFakeEngine([createTestDocument("1", {})]);
  const failing = { ...engine, search: () => Promise.reject(new Error(`${MAIL} asked with ${TOKEN}`)) };
  const testApi = await startTestSearchApi(failing, () => {}, log);
  expect((await testApi.call("/indexes/posts/query", { query: "beans" })).statusCode).toBe(500);
  await testApi.server.close();
  expect(findSecrets(text(), [KEY, TOKEN])).toEqual([]);
  expect(text()).toContain("a search failed");
});
