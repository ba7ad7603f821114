import type { World } from "#platform/clock";
import type { Redis } from "#platform/redis";
import { given, type Store } from "../store.ts";
import * as entries from "./entries.ts";
import * as hives from "./hives.ts";
import * as values from "./key-values.ts";
import * as keys from "./keys.ts";
import * as lists from "./lists.ts";
import type { Lines } from "./scripts.ts";
import * as sorted from "./sorted-sets.ts";

/** Hives in Redis: each call is one script, which Redis runs atomically. */
export function inRedis(redis: Redis, world: World): Store {
  const lines: Lines = { redis, world };
  return {
    hives: given(lines, {
      names: hives.hiveNames,
      create: hives.createHive,
      remove: hives.deleteHive,
      rename: hives.renameHive,
      empty: hives.emptyHives,
    }),
    keys: given(lines, {
      list: keys.listKeys,
      count: keys.countKeys,
      remove: keys.deleteKeys,
      touch: keys.touchKeys,
      find: keys.findKey,
      end: keys.endKey,
      rename: keys.renameKey,
    }),
    values: given(lines, { read: values.readValues, write: values.writeValues, writeIf: values.writeValue, add: values.addToValue }),
    entries: given(lines, {
      read: entries.readEntries,
      put: entries.putEntries,
      putNew: entries.putNewEntry,
      add: entries.addToEntry,
      remove: entries.removeEntries,
      random: entries.randomEntries,
      takeRandom: entries.takeRandomEntries,
      combine: entries.combineEntries,
    }),
    lists: given(lines, {
      read: lists.readList,
      item: lists.readItem,
      add: lists.addToList,
      take: lists.takeFromList,
      remove: lists.removeFromList,
      insert: lists.insertInList,
    }),
    scores: given(lines, {
      add: sorted.addScored,
      addTo: sorted.addToScore,
      take: sorted.takeScored,
      random: sorted.randomScored,
      of: sorted.scoreOf,
      rank: sorted.rankOf,
      byRank: sorted.rangeByRank,
      byScore: sorted.rangeByScore,
      remove: sorted.removeScored,
      removeByRank: sorted.removeByRank,
      removeByScore: sorted.removeByScore,
      count: sorted.countByScore,
    }),
  };
}
