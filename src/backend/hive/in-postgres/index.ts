import { type Database, maybeOne, sql } from "#platform/database";
import { Room } from "#platform/limits";
import { given, MOST_KEYS, type Spot, type Store } from "../store.ts";
import * as entries from "./entries.ts";
import * as hives from "./hives.ts";
import * as values from "./key-values.ts";
import * as keys from "./keys.ts";
import * as lists from "./lists.ts";
import * as sorted from "./sorted-sets.ts";

/** Hives as rows: one per key, which is locked while its store changes, and one per entry. */
export function inPostgres({ db, world, inTransaction }: Pick<Database, "db" | "world" | "inTransaction">): Store {
  const room = new Room(async () => (await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from hive_keys`))!.n < MOST_KEYS);
  const rows: hives.Rows = { db, world, inTransaction, room };
  const removeScored = (to: hives.Rows, spot: Spot, fields: string[]) => entries.removeEntries(to, { ...spot, kind: "sorted-set" }, fields);
  return {
    hives: given(rows, {
      names: hives.hiveNames,
      create: hives.createHive,
      remove: hives.deleteHive,
      rename: hives.renameHive,
      empty: hives.emptyHives,
    }),
    keys: given(rows, {
      list: keys.listKeys,
      count: keys.countKeys,
      remove: keys.deleteKeys,
      touch: keys.touchKeys,
      find: keys.findKey,
      end: keys.endKey,
      rename: keys.renameKey,
    }),
    values: given(rows, { read: values.readValues, write: values.writeValues, writeIf: values.writeValue, add: values.addToValue }),
    entries: given(rows, {
      read: entries.readEntries,
      put: entries.putEntries,
      putNew: entries.putNewEntry,
      add: entries.addToEntry,
      remove: entries.removeEntries,
      random: entries.randomEntries,
      takeRandom: entries.takeRandomEntries,
      combine: entries.combineEntries,
    }),
    lists: given(rows, {
      read: lists.readList,
      item: lists.readItem,
      add: lists.addToList,
      take: lists.takeFromList,
      remove: lists.removeFromList,
      insert: lists.insertInList,
    }),
    scores: given(rows, {
      add: sorted.addScored,
      addTo: sorted.addToScore,
      take: sorted.takeScored,
      random: sorted.randomScored,
      of: sorted.scoreOf,
      rank: sorted.rankOf,
      byRank: sorted.rangeByRank,
      byScore: sorted.rangeByScore,
      remove: removeScored,
      removeByRank: sorted.removeByRank,
      removeByScore: sorted.removeByScore,
      count: sorted.countByScore,
    }),
  };
}
