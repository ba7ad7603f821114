import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { furnish, linksOf, type Row, standing as standingIn, toldIn } from "./data.fixture.ts";
import { openDoor, type RestDoor } from "./rest.fixture.ts";

export const database = await testDatabase();
export let door: RestDoor;
export let sdk: typeof Backendless;
beforeAll(async () => {
  door = await openDoor(database);
  sdk = door.sdk();
});
afterAll(() => door.close());

export const NOW = Date.parse("2026-05-04T09:00:00Z");

export const standing = (name: string) => standingIn(door.house.tables, name);
export const links = (relation = "orders") => linksOf(door.house.tables, "Person", relation);
export const told = () => toldIn(database.db);

beforeEach(async () => {
  door.forget();
  await furnish(door.house.tables);
});

export const people = () => sdk.Data.of("Person");
export const orders = () => sdk.Data.of("Order");
export const joe = { name: "Joe", age: 30 };
export const whole = (row: Row) => ({
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
