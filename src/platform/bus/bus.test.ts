import { describe, expect, inject, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { testRedis } from "../../../test/support/setup/test-redis.ts";
import { createBus, publishToAll } from "./index.ts";

const { connection, db, pool } = await testDatabase();
const shared = inject("redis") ? await testRedis() : null;
type Bus = ReturnType<typeof createBus>;

/** Two processes on one database, optionally sharing a Redis. */
async function two(redis: typeof shared) {
  const messages: { things: string[] | null; news: unknown[] }[] = [];
  const open = (onTold: (things: string[] | null, news: unknown[]) => void) =>
    createBus({ connection, redis, log: createLog("silent"), onMessages: onTold, onLost: () => {} });
  const [speaker, listener] = [
    open(() => messages.push({ things: ["an echo"], news: [] })),
    open((things, news) => messages.push({ things, news })),
  ];
  await Promise.all([listening(speaker), listening(listener)]);
  const waitUntil = async (holds: () => boolean) => {
    while (!holds()) await pool.query("select 1");
  };
  return {
    speaker,
    messages,
    waitUntil,
    [Symbol.asyncDispose]: async () => void (await Promise.all([speaker.close(), listener.close()])),
  };
}
const listening = async (bus: Bus) => {
  while (!bus.listening) await pool.query("select 1");
};

const ROADS = [
  ["PostgreSQL", false],
  ["Redis", true],
] as const;

describe.each(ROADS)("process bus over %s", (_road, throughRedis) => {
  const skipped = throughRedis && !shared;
  const redis = throughRedis ? shared : null;

  test.skipIf(skipped)(
    "delivers changed tags and events in order to every process except the sender",
    async () => {
      await using both = await two(redis);
      both.speaker.publish(["a"], { n: 1 });
      both.speaker.publish(["b"], { n: 2 });
      await both.waitUntil(() => both.messages.length > 0);
      expect(both.messages).toEqual([{ things: ["a", "b"], news: [{ n: 1 }, { n: 2 }] }]);
    },
  );

  test.skipIf(skipped)("delivers messages of a process without its own bus connection", async () => {
    await using both = await two(redis);
    await publishToAll({ db, redis }, null);
    await both.waitUntil(() => both.messages.length > 1);
    expect(both.messages).toEqual(expect.arrayContaining([{ things: null, news: [] }]));
  });

  test.skipIf(skipped)("splits a large batch into several messages", async () => {
    await using both = await two(redis);
    const news = Array.from({ length: 200 }, (_, n) => ({ n, text: "x".repeat(100) }));
    both.speaker.publish(["a"], ...news);
    await both.waitUntil(() => both.messages.flatMap((it) => it.news).length === 200);
    expect(both.messages.flatMap((it) => it.news)).toEqual(news);
    if (!throughRedis) expect(both.messages.length).toBeGreaterThan(3);
    expect(both.messages.map(({ things }) => things)).toEqual([
      ["a"],
      ...both.messages.slice(1).map(() => []),
    ]);
  });

  test.skipIf(skipped)("counts bytes as PostgreSQL does, so multi-byte letters arrive", async () => {
    await using both = await two(redis);
    const news = Array.from({ length: 12 }, (_, n) => ({ n, text: "文".repeat(800) }));
    both.speaker.publish(["a"], ...news);
    await both.waitUntil(() => both.messages.flatMap((it) => it.news).length === 12);
    expect(both.messages.flatMap((it) => it.news)).toEqual(news);
  });

  test.skipIf(skipped)(
    'replaces too many tags by "everything changed" but still delivers the events',
    async () => {
      await using both = await two(redis);
      const tags = Array.from({ length: 400 }, (_, n) => `discussion:${n}:${"x".repeat(20)}`);
      both.speaker.publish(tags, { n: 1 });
      await both.waitUntil(() => both.messages.length > 0);
      if (throughRedis) expect(both.messages).toEqual([{ things: tags, news: [{ n: 1 }] }]);
      else expect(both.messages).toEqual([{ things: null, news: [{ n: 1 }] }]);
    },
  );

  test.skipIf(skipped)("delivers events that exceed the message size in bytes, in order", async () => {
    await using both = await two(redis);
    const long = { text: "ü".repeat(60_000) };
    const wide = Array.from({ length: 20 }, (_, n) => ({ n, text: "寿".repeat(300) }));
    both.speaker.publish([], { n: 1 }, long, { n: 2 }, ...wide);
    both.speaker.publish([], { n: 3 });
    await both.waitUntil(() => both.messages.flatMap((it) => it.news).length === 24);
    expect(both.messages.flatMap((it) => it.news)).toEqual([{ n: 1 }, long, { n: 2 }, ...wide, { n: 3 }]);
  });
});

test("stored payload of an oversized event is deleted after a minute", async () => {
  await using both = await two(null);
  await run(
    db,
    sql`insert into bus_payloads values (gen_random_uuid(), '{}', clock_timestamp() - interval '2 minutes')`,
  );
  both.speaker.publish([], { text: "x".repeat(9_000) });
  await both.waitUntil(() => both.messages.length > 0);
  expect(await many(db, sql`select length(content) > 9000 as long from bus_payloads`)).toEqual([
    { long: true },
  ]);
});

test("loss of the bus connection is reported when the connection breaks and again when it is restored", async () => {
  let lost = 0;
  const bus = createBus({
    connection,
    redis: null,
    log: createLog("silent"),
    onMessages: () => {},
    onLost: () => lost++,
  });
  await listening(bus);
  expect(lost).toBe(0);
  await run(
    db,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'kith-bus' and datname = current_database()`,
  );
  while (lost < 1) await pool.query("select 1");
  await listening(bus);
  expect(lost).toBe(2);
  await bus.close();
});
