import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { openLog } from "#platform/log";
import { testDatabase } from "../../../test/setup/database.ts";
import { Bus, tellAll } from "./index.ts";

const { connection, db, pool } = await testDatabase();

/** Two processes on one database. */
async function two() {
  const told: { things: string[] | null; news: unknown[] }[] = [];
  const open = (onTold: (things: string[] | null, news: unknown[]) => void) =>
    new Bus({ connection, log: openLog("silent"), onTold, onLost: () => {} });
  const [speaker, listener] = [
    open(() => told.push({ things: ["an echo"], news: [] })),
    open((things, news) => told.push({ things, news })),
  ];
  await Promise.all([listening(speaker), listening(listener)]);
  const heard = async (holds: () => boolean) => {
    while (!holds()) await pool.query("select 1");
  };
  return { speaker, told, heard, [Symbol.asyncDispose]: async () => void (await Promise.all([speaker.close(), listener.close()])) };
}
const listening = async (bus: Bus) => {
  while (!bus.listening) await pool.query("select 1");
};

describe("the bus", () => {
  test("brings what changed and what happened to the others, in order, and not back", async () => {
    await using both = await two();
    both.speaker.tell(["a"], { n: 1 });
    both.speaker.tell(["b"], { n: 2 });
    await both.heard(() => both.told.length > 0);
    expect(both.told).toEqual([{ things: ["a", "b"], news: [{ n: 1 }, { n: 2 }] }]);
  });

  test("brings what a command tells that has no line of its own", async () => {
    await using both = await two();
    await tellAll(db, null);
    await both.heard(() => both.told.length > 1);
    expect(both.told).toEqual(expect.arrayContaining([{ things: null, news: [] }]));
  });

  test("brings more than one message can hold in several", async () => {
    await using both = await two();
    const news = Array.from({ length: 200 }, (_, n) => ({ n, text: "x".repeat(100) }));
    both.speaker.tell(["a"], ...news);
    await both.heard(() => both.told.flatMap((it) => it.news).length === 200);
    expect(both.told.flatMap((it) => it.news)).toEqual(news);
    expect(both.told.length).toBeGreaterThan(3);
    expect(both.told.map(({ things }) => things)).toEqual([["a"], ...both.told.slice(1).map(() => [])]);
  });

  test("counts what PostgreSQL counts: letters of several bytes arrive as well", async () => {
    await using both = await two();
    const news = Array.from({ length: 12 }, (_, n) => ({ n, text: "文".repeat(800) }));
    both.speaker.tell(["a"], ...news);
    await both.heard(() => both.told.flatMap((it) => it.news).length === 12);
    expect(both.told.flatMap((it) => it.news)).toEqual(news);
  });

  test('says "anything" where the names are too many, and still what happened', async () => {
    await using both = await two();
    both.speaker.tell(
      Array.from({ length: 400 }, (_, n) => `discussion:${n}:${"x".repeat(20)}`),
      { n: 1 },
    );
    await both.heard(() => both.told.length > 0);
    expect(both.told).toEqual([{ things: null, news: [{ n: 1 }] }]);
  });

  test("brings what is longer than one message can be, in its order, and counts bytes, not characters", async () => {
    await using both = await two();
    const long = { text: "ü".repeat(60_000) };
    const wide = Array.from({ length: 20 }, (_, n) => ({ n, text: "寿".repeat(300) }));
    both.speaker.tell([], { n: 1 }, long, { n: 2 }, ...wide);
    both.speaker.tell([], { n: 3 });
    await both.heard(() => both.told.flatMap((it) => it.news).length === 24);
    expect(both.told.flatMap((it) => it.news)).toEqual([{ n: 1 }, long, { n: 2 }, ...wide, { n: 3 }]);
  });

  test("lets go of what was long after a minute", async () => {
    await using both = await two();
    await run(db, sql`insert into bus_parcels values (gen_random_uuid(), '{}', clock_timestamp() - interval '2 minutes')`);
    both.speaker.tell([], { text: "x".repeat(9_000) });
    await both.heard(() => both.told.length > 0);
    expect(await many(db, sql`select length(content) > 9000 as long from bus_parcels`)).toEqual([{ long: true }]);
  });
});
