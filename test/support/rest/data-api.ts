import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { testDatabase } from "../setup/test-database.ts";
import {
  createTestTables,
  readLinks,
  type Row,
  readRows as standingIn,
  listRecordEvents,
} from "./data-rows.ts";
import { startTestApi, type TestRestApi } from "./rest-server.ts";

export const database = await testDatabase();
export let testApi: TestRestApi;
export let sdk: typeof Backendless;
beforeAll(async () => {
  testApi = await startTestApi(database);
  sdk = testApi.sdk();
});
afterAll(() => testApi.close());

export const NOW = Date.parse("2026-05-04T09:00:00Z");

export const readStoredRows = (name: string) => standingIn(testApi.app.tables, name);
export const links = (relation = "orders") => readLinks(testApi.app.tables, "Person", relation);
export const readRecordEvents = () => listRecordEvents(database.db);

beforeEach(async () => {
  testApi.forget();
  await createTestTables(testApi.app.tables);
});

export const personStore = () => sdk.Data.of("Person");
export const orderStore = () => sdk.Data.of("Order");
export const joe = { name: "Joe", age: 30 };
export const wholePerson = (row: Row) => ({
  ___class: "Person",
  ownerId: null,
  created: NOW,
  updated: null,
  name: null,
  age: null,
  born: null,
  profile: null,
  home: null,
  active: true,
  code: null,
  ...row,
});
