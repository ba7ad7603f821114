import type { World } from "#platform/clock";
import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { inPostgres } from "./in-postgres/index.ts";
import { inRedis } from "./in-redis/index.ts";
import { assertName } from "./names.ts";
import type { Store } from "./store.ts";

export type Hives = { store: Store; world: World };

/** Stores that programs keep things in, by the name of a hive, a kind and a key: in the database or, where there is one, in Redis. */
export const openHives = (database: Pick<Database, "db" | "world" | "inTransaction">, redis: Redis | null = null): Hives => ({
  store: redis ? inRedis(redis, database.world) : inPostgres(database),
  world: database.world,
});

/** Names of the hives, in their order. */
export const hiveNames = ({ store }: Hives): Promise<string[]> => store.hives.names();

/** Throws `conflict` for a name that is taken, `invalid` for one that is none, `too-large` where there are too many. */
export async function createHive({ store }: Hives, name: string): Promise<void> {
  assertName(name);
  await store.hives.create(name);
}

/** Takes a hive away with all of its stores. Throws `not-found`. */
export const deleteHive = ({ store }: Hives, name: string): Promise<void> => store.hives.remove(name);

/** Takes all hives away, for places that are there to be tested. */
export const emptyHives = ({ store }: Hives): Promise<void> => store.hives.empty();

/** Throws `not-found`, and what `createHive` throws. */
export async function renameHive({ store }: Hives, name: string, newName: string): Promise<void> {
  assertName(newName);
  await store.hives.rename(name, newName);
}
