import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type Db, run, sql } from "#platform/database";
import type { Log } from "#platform/log";
import type { Redis } from "#platform/redis";
import type { BusListener, ChangedTags } from "./message-batcher.ts";
import { CHANNEL as IN_POSTGRES, PostgresBus } from "./postgres-bus.ts";
import { CHANNEL as IN_REDIS, RedisBus } from "./redis-bus.ts";

type BusOptions = BusListener & { connection: pg.ClientConfig; redis: Redis | null; log: Log };

/** Creates the bus between processes: over Redis when one is configured, else over the database. */
export const createBus = ({ connection, redis, log, ...hearing }: BusOptions): PostgresBus | RedisBus =>
  redis ? new RedisBus({ redis, ...hearing }) : new PostgresBus({ connection, log, ...hearing });

/** Publishes to all processes, for a process without a bus connection of its own, such as a command. */
export async function publishToAll(
  { db, redis }: { db: Db; redis: Redis | null },
  changedTags: ChangedTags,
  ...messages: unknown[]
): Promise<void> {
  const word = JSON.stringify({ from: randomUUID(), things: changedTags, news: messages });
  if (redis) await redis.call("PUBLISH", redis.prefix + IN_REDIS, word);
  else await run(db, sql`select pg_notify(${IN_POSTGRES}, ${word})`);
}
