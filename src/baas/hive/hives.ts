import type { Runtime } from "#platform/clock";
import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { createPostgresHives } from "./postgres/index.ts";
import { createRedisHives } from "./redis/index.ts";
import { assertName } from "./hive-names.ts";
import type { HiveStore } from "./hive-store.ts";

export type Hives = { store: HiveStore; runtime: Runtime };

/**
 * Creates the hives of API clients, whose values are addressed by hive, kind and key. They are in Redis if
 * configured, otherwise in the database.
 */
export const createHiveStore = (
  database: Pick<Database, "db" | "runtime" | "inTransaction">,
  redis: Redis | null = null,
): Hives => ({
  store: redis ? createRedisHives(redis, database.runtime) : createPostgresHives(database),
  runtime: database.runtime,
});

/** Lists the names of hives in order. */
export const listHiveNames = ({ store }: Hives): Promise<string[]> => store.hives.names();

/**
 * Creates a hive.
 * @throws `conflict` for a name in use, `invalid` for an invalid one, `too-large` when there are too many
 * hives
 */
export async function createHive({ store }: Hives, name: string): Promise<void> {
  assertName(name);
  await store.hives.create(name);
}

/**
 * Deletes a hive with all its stores.
 * @throws `not-found`
 */
export const deleteHive = ({ store }: Hives, name: string): Promise<void> => store.hives.remove(name);

/** Deletes all hives; for test installations. */
export const clearHives = ({ store }: Hives): Promise<void> => store.hives.empty();

/**
 * Renames a hive.
 * @throws `not-found`, and as `createHive` does
 */
export async function renameHive({ store }: Hives, name: string, newName: string): Promise<void> {
  assertName(newName);
  await store.hives.rename(name, newName);
}
