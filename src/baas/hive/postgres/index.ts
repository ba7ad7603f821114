import { type Database, maybeOne, sql } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import { bindFirst, MAX_KEYS, type HiveKey, type HiveStore } from "../hive-store.ts";
import * as entries from "./postgres-entries.ts";
import * as hives from "./postgres-hives.ts";
import * as values from "./postgres-key-values.ts";
import * as keys from "./postgres-keys.ts";
import * as lists from "./postgres-lists.ts";
import * as sorted from "./postgres-sorted-sets.ts";

/**
 * Creates the storage of hives in the database: one row per key, which is locked while its store changes,
 * and one row per entry.
 */
export function createPostgresHives({
  db,
  runtime,
  inTransaction,
}: Pick<Database, "db" | "runtime" | "inTransaction">): HiveStore {
  const quota = new CachedQuota(
    async () =>
      (await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from hive_keys`))!.n < MAX_KEYS,
  );
  const rows: hives.PostgresContext = { db, runtime, inTransaction, quota };
  const removeScored = (to: hives.PostgresContext, hiveKey: HiveKey, fields: string[]) =>
    entries.removeEntries(to, { ...hiveKey, kind: "sorted-set" }, fields);
  return {
    hives: bindFirst(rows, {
      names: hives.listHiveNames,
      create: hives.createHive,
      remove: hives.deleteHive,
      rename: hives.renameHive,
      empty: hives.clearHives,
    }),
    keys: bindFirst(rows, {
      list: keys.listKeys,
      count: keys.countKeys,
      remove: keys.deleteKeys,
      touch: keys.touchKeys,
      find: keys.findKey,
      end: keys.expireKey,
      rename: keys.renameKey,
    }),
    values: bindFirst(rows, {
      read: values.readValues,
      write: values.writeValues,
      writeIf: values.writeValue,
      add: values.addToValue,
    }),
    entries: bindFirst(rows, {
      read: entries.readEntries,
      put: entries.putEntries,
      putNew: entries.putNewEntry,
      add: entries.addToEntry,
      remove: entries.removeEntries,
      random: entries.getRandomEntries,
      takeRandom: entries.takeRandomEntries,
      combine: entries.combineEntries,
    }),
    lists: bindFirst(rows, {
      read: lists.readList,
      item: lists.readItem,
      add: lists.addToList,
      take: lists.takeFromList,
      remove: lists.removeFromList,
      insert: lists.insertIntoList,
    }),
    scores: bindFirst(rows, {
      add: sorted.addScored,
      addTo: sorted.addToScore,
      take: sorted.takeByScore,
      random: sorted.getRandomScored,
      of: sorted.getScore,
      rank: sorted.getRank,
      byRank: sorted.listByRank,
      byScore: sorted.listByScore,
      remove: removeScored,
      removeByRank: sorted.removeByRank,
      removeByScore: sorted.removeByScore,
      count: sorted.countByScore,
    }),
  };
}
