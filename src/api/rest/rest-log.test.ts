import { afterAll, beforeAll, expect, test } from "vitest";
import { captureLog } from "../../../test/support/log/captured-log.ts";
import { findSecrets } from "../../../test/support/log/secrets-in-log.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { ENDPOINTS } from "./index.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  type TestRestApi,
  SERVER,
} from "../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
const { log, text } = captureLog();
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database, { log });
});
afterAll(() => testApi.close());

/** Secrets in every length and alphabet that apps use. */
const KEY_OF_ANOTHER = "7F3A0C52-99D1-4B0E-AF12-5D0C7E1B9A44";
const TOKEN = "Zq3-x0fJYp7mN_sK2vT9cWbA5dLrEu1hGiOo4yXkQzR";
const PASSWORD = "three-white-geese-26";
const MAIL = "mira.beetz@example.org";
const SECRETS = [CLIENT, SERVER, KEY_OF_ANOTHER, TOKEN, PASSWORD];
const BODY = { login: MAIL, email: MAIL, password: PASSWORD, token: TOKEN, userToken: TOKEN, apiKey: SERVER };

const send = async (method: string, path: string) => {
  const headers = {
    "content-type": "application/json",
    "user-token": TOKEN,
    authorization: `Bearer ${TOKEN}`,
  };
  const body = method === "GET" ? {} : { body: JSON.stringify(BODY) };
  const query = `?token=${TOKEN}&email=${encodeURIComponent(MAIL)}&password=${PASSWORD}`;
  return fetch(`${testApi.origin()}${path}${query}`, { method, headers, redirect: "manual", ...body }).then(
    (answer) => answer.text(),
  );
};

test("API calls write no key, token or email address to the log", async () => {
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
  const filled = (path: string, value: string) => path.replace(/:\w+|\*/g, value);
  const values = [TOKEN, encodeURIComponent(MAIL), PASSWORD, KEY_OF_ANOTHER];
  const prefixes = [
    `/${APP}/${CLIENT}`,
    `/${APP}/${SERVER}`,
    `/${APP}/${KEY_OF_ANOTHER}`,
    `/${KEY_OF_ANOTHER}/${SERVER}`,
    "/api",
  ];
  // Each endpoint gets all values and all prefixes; each pair of them occurs at every fourth endpoint.
  for (const [at, { method, path }] of ENDPOINTS.entries())
    for (const [nth, prefix] of prefixes.entries())
      await send(method, prefix + filled(path, values[(at + nth) % values.length]!));
  expect(findSecrets(text(), SECRETS)).toEqual([]);
  expect(text()).toContain('"msg":"answered"');
}, 300_000);

test("failed call is logged with its location, without key, token or email address", async () => {
  const { log: own, text: written } = captureLog();
  const fault = () => {
    throw new Error(
      `GET /${APP}/${SERVER}/cache/a?token=${TOKEN} of ${MAIL} with password=${PASSWORD} failed`,
    );
  };
  const failing = await startTestApi(database, { log: own, cache: new Proxy({}, { get: fault }) as never });
  const answer = await failing.call("GET", `/${APP}/${SERVER}/cache/a`);
  await failing.close();
  expect(answer.status).toBe(500);
  expect(findSecrets(written(), SECRETS)).toEqual([]);
  expect(written()).toContain("a request failed");
});

test.each([
  ["a counter", "/counters/visits"],
  ["a cached value", "/cache/none"],
  ["a value in a hive", "/hive/shop/key-value/none"],
  ["a list of files", "/files/none/"],
])("request for %s sends one response", async (_what, path) => {
  const from = text().length;
  await testApi.call("GET", `/${APP}/${SERVER}${path}`);
  expect(text().slice(from)).not.toMatch(/already sent|"level":[3456]0,(?!.*"answered")/);
});

test("download of a range, an unchanged file or a whole file sends one response", async () => {
  const file = `/${APP}/${SERVER}/files/notes/seeds.txt`;
  const form = new FormData();
  form.append("file", new Blob(["Beans and kale"]), "seeds.txt");
  const upload = await fetch(`${testApi.origin()}${file}`, { method: "POST", body: form });
  expect(upload.status).toBe(200);
  const from = text().length;
  const whole = await fetch(`${testApi.origin()}${file}`);
  expect(await whole.text()).toBe("Beans and kale");
  const etag = whole.headers.get("etag")!;
  const headers = [{ range: "bytes=0-4" }, { range: "bytes=99-" }, { "if-none-match": etag }];
  const statuses = [];
  for (const it of headers)
    statuses.push((await fetch(`${testApi.origin()}${file}`, { headers: it as never })).status);
  expect(statuses).toEqual([206, 416, 304]);
  expect(text().slice(from)).not.toContain("already sent");
});
