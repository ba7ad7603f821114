import { expect, test } from "vitest";
import { DAY, later, SECOND } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { setStatus } from "#community/people";
import { carry } from "../src/community/notifications/told.fixture.ts";
import { cast } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

test("whoever is limited is told in the bell, and when that is over; nobody can choose otherwise", async () => {
  const { ada, mira } = await cast(database);
  const put = (state: "active" | "limited" | "suspended", end: Date | null = null) =>
    within((tx) => setStatus(tx, ada, { personId: mira.id, state, reason: "Adverts in three groups.", until: end }));
  const kept = () => one(db, sql`select kind, detail, words, moment, shown from notifications order by created_at desc, id desc limit 1`);
  const until = later(clock.at, DAY);
  await put("limited", until);
  await carry(database);
  expect(await kept()).toEqual({ kind: "security", detail: "limited", words: "Adverts in three groups.", moment: until, shown: true });
  clock.pass(SECOND);
  await put("active");
  await put("active");
  await carry(database);
  expect(await kept()).toMatchObject({ detail: "restored", words: "" });
  await run(db, sql`delete from notifications`);
  await put("suspended");
  await carry(database);
  expect(await many(db, sql`select id from notifications`)).toEqual([]);
});
