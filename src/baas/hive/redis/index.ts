import type { Runtime } from "#platform/clock";
import type { Redis } from "#platform/redis";
import { bindFirst, type HiveStore } from "../hive-store.ts";
import * as entries from "./redis-entries.ts";
import * as hives from "./redis-hives.ts";
import * as values from "./redis-key-values.ts";
import * as keys from "./redis-keys.ts";
import * as lists from "./redis-lists.ts";
import type { RedisContext } from "./redis-scripts.ts";
import * as sorted from "./redis-sorted-sets.ts";

/** Creates the storage of hives in Redis. Each call is one script, which Redis runs atomically. */
export function createRedisHives(redis: Redis, runtime: Runtime): HiveStore {
  const context: RedisContext = { redis, runtime };
  return {
    hives: bindFirst(context, {
      names: hives.listHiveNames,
      create: hives.createHive,
      remove: hives.deleteHive,
      rename: hives.renameHive,
      empty: hives.clearHives,
    }),
    keys: bindFirst(context, {
      list: keys.listKeys,
      count: keys.countKeys,
      remove: keys.deleteKeys,
      touch: keys.touchKeys,
      find: keys.findKey,
      end: keys.expireKey,
      rename: keys.renameKey,
    }),
    values: bindFirst(context, {
      read: values.readValues,
      write: values.writeValues,
      writeIf: values.writeValue,
      add: values.addToValue,
    }),
    entries: bindFirst(context, {
      read: entries.readEntries,
      put: entries.putEntries,
      putNew: entries.putNewEntry,
      add: entries.addToEntry,
      remove: entries.removeEntries,
      random: entries.getRandomEntries,
      takeRandom: entries.takeRandomEntries,
      combine: entries.combineEntries,
    }),
    lists: bindFirst(context, {
      read: lists.readList,
      item: lists.readItem,
      add: lists.addToList,
      take: lists.takeFromList,
      remove: lists.removeFromList,
      insert: lists.insertIntoList,
    }),
    scores: bindFirst(context, {
      add: sorted.addScored,
      addTo: sorted.addToScore,
      take: sorted.takeByScore,
      random: sorted.getRandomScored,
      of: sorted.getScore,
      rank: sorted.getRank,
      byRank: sorted.listByRank,
      byScore: sorted.listByScore,
      remove: sorted.removeScored,
      removeByRank: sorted.removeByRank,
      removeByScore: sorted.removeByScore,
      count: sorted.countByScore,
    }),
  };
}
