import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../../test/setup/database.ts";
import { ROUTES } from "../index.ts";
import { type Asked, noteAsked } from "./asked.fixture.ts";
import { NOW, openWalk, type Walk } from "./walk.fixture.ts";
import { comparedWithDescription, furnishWalk, named, walkAlong } from "./whole.fixture.ts";

const database = await testDatabase();
const asked: Asked[] = [];
const stop = noteAsked((it) => asked.push(it));
let walk: Walk;
beforeAll(async () => {
  walk = await openWalk(database);
});
afterAll(async () => {
  stop();
  await walk.close();
});

test("the client as it is published: what each call sends, what it makes of the answer, and what is kept", async () => {
  database.clock.at = NOW;
  await furnishWalk(walk);
  await walkAlong(walk);
  expect(walk.recorder.heard.filter(({ status }) => status >= 500)).toEqual([]);
}, 300_000);

test("no call of the documentation is passed by, and none is made that is not in it", () => {
  expect(named(asked)).toEqual(named(ROUTES));
});

test("what was sent and what was answered is what the description for programs says", () => {
  const { faults, calls } = comparedWithDescription(walk, asked);
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(200);
});
