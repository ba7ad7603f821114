export type StoreKind = "key-value" | "list" | "map" | "set" | "sorted-set";
/** All stores of one kind in a hive. */
export type KeySpace = { hive: string; kind: StoreKind };
/** One store of a hive. */
export type StoreKey = KeySpace & { key: string };
export type HiveKey = { hive: string; key: string };

/** Metadata of a key, with its value in a key-value store. */
export type KeyInfo = { value: string | null; entries: number; endsAt: Date | null; usedAt: Date };
export type KeyPage = { pattern: string; cursor: number; size: number };

/** An entry as JSON, with its identifier: the field in a map, otherwise a hash of the value. */
export type StoreEntry = { field: string; value: string };
export type ScoredValue = { score: number; value: string };
export type ScoredEntry = StoreEntry & { score: number };
export type WriteCondition = "IfExists" | "IfNotExists" | "Always";
export type ListEnd = "first" | "last";
export type SetOperation = "difference" | "intersection" | "union";
export type ScoreOptions = {
  duplicates?: "OnlyUpdate" | "AlwaysAdd" | undefined;
  scores?: "Greater" | "Less" | undefined;
  result?: "NewAdded" | "TotalChanged" | undefined;
};
type ScoreBound = { score: number; included: boolean } | null;
/** A range of scores; a bound of null means unbounded. */
export type ScoreRange = { min: ScoreBound; max: ScoreBound };
export type RangeOptions = {
  offset?: number | undefined;
  most?: number | undefined;
  reverse?: boolean | undefined;
};

/**
 * Storage of hives. Names are validated before, and every change is atomic. All calls except those on hive
 * names throw `not-found` for an unknown hive; calls that add throw `too-large`.
 */
export type HiveStore = {
  hives: {
    names: () => Promise<string[]>;
    create: (name: string) => Promise<void>;
    remove: (name: string) => Promise<void>;
    rename: (name: string, newName: string) => Promise<void>;
    empty: () => Promise<void>;
  };
  keys: {
    list: (keySpace: KeySpace, page: KeyPage) => Promise<{ keys: string[]; cursorId: string }>;
    count: (keySpace: KeySpace, keys: string[]) => Promise<number>;
    remove: (keySpace: KeySpace, keys: string[]) => Promise<number>;
    touch: (keySpace: KeySpace, keys: string[]) => Promise<number>;
    find: (storeKey: StoreKey) => Promise<KeyInfo | undefined>;
    /** Sets when a key expires, null for never. Returns false if the key does not exist. */
    end: (storeKey: StoreKey, until: Date | null) => Promise<boolean>;
    rename: (storeKey: StoreKey, newKey: string, overwrite: boolean) => Promise<boolean>;
  };
  values: {
    read: (hive: string, keys: string[]) => Promise<Map<string, string>>;
    write: (hive: string, values: StoreEntry[]) => Promise<void>;
    writeIf: (
      hiveKey: HiveKey,
      to: { value: string; until: Date | null; condition: WriteCondition },
    ) => Promise<boolean>;
    add: (hiveKey: HiveKey, by: number) => Promise<number>;
  };
  /** Operations on the entries of maps and sets. */
  entries: {
    /** Reads the entries with these fields, or all, in the order of fields. */
    read: (storeKey: StoreKey, fields?: string[]) => Promise<StoreEntry[]>;
    /** Sets entries; returns how many fields are new. */
    put: (storeKey: StoreKey, entries: StoreEntry[]) => Promise<number>;
    /** Sets an entry unless its field exists. */
    putNew: (storeKey: StoreKey, entry: StoreEntry) => Promise<boolean>;
    add: (storeKey: StoreKey, field: string, by: number) => Promise<number>;
    remove: (storeKey: StoreKey, fields: string[]) => Promise<number>;
    random: (storeKey: StoreKey, count: number) => Promise<string[]>;
    takeRandom: (storeKey: StoreKey, count: number) => Promise<string[]>;
    combine: (keySpace: KeySpace, how: SetOperation, keys: string[]) => Promise<string[]>;
  };
  lists: {
    read: (hiveKey: HiveKey, from: number, to: number) => Promise<string[]>;
    item: (hiveKey: HiveKey, index: number) => Promise<string | null>;
    /** Returns the new length. */
    add: (hiveKey: HiveKey, end: ListEnd, items: StoreEntry[]) => Promise<number>;
    take: (hiveKey: HiveKey, end: ListEnd, count: number) => Promise<string[]>;
    remove: (hiveKey: HiveKey, field: string, count: number) => Promise<number>;
    /** Returns the new length, or -1 if the anchor is missing. */
    insert: (hiveKey: HiveKey, item: StoreEntry, anchor: string, side: "before" | "after") => Promise<number>;
  };
  scores: {
    add: (hiveKey: HiveKey, entries: ScoredEntry[], how: ScoreOptions) => Promise<number>;
    /** Adds to a score, which is 0 if missing; returns the new score. */
    addTo: (hiveKey: HiveKey, entry: StoreEntry, by: number) => Promise<number>;
    take: (hiveKey: HiveKey, end: "max" | "min", count: number) => Promise<ScoredValue[]>;
    random: (hiveKey: HiveKey, count: number) => Promise<ScoredValue[]>;
    of: (hiveKey: HiveKey, field: string) => Promise<number | null>;
    rank: (hiveKey: HiveKey, field: string, reverse: boolean) => Promise<number | null>;
    byRank: (hiveKey: HiveKey, range: [number, number], reverse: boolean) => Promise<ScoredValue[]>;
    byScore: (hiveKey: HiveKey, bounds: ScoreRange, cut: RangeOptions) => Promise<ScoredValue[]>;
    remove: (hiveKey: HiveKey, fields: string[]) => Promise<number>;
    removeByRank: (hiveKey: HiveKey, range: [number, number]) => Promise<number>;
    removeByScore: (hiveKey: HiveKey, bounds: ScoreRange) => Promise<number>;
    count: (hiveKey: HiveKey, bounds: ScoreRange) => Promise<number>;
  };
};

export const MAX_NAME_LENGTH = 250;
export const MAX_HIVES = 1_000;
export const MAX_KEYS = 100_000;
export const MAX_ENTRIES = 100_000;
/** Maximum characters of all entries of one store. */
export const MAX_STORE_CHARACTERS = 20_000_000;
/** Maximum entries of all sets that one call combines: twice the maximum of one set. */
export const MAX_COMBINED = 2 * MAX_ENTRIES;
/** Maximum characters of all sets that one call combines. */
export const MAX_COMBINED_CHARACTERS = 2 * MAX_STORE_CHARACTERS;

/** Binds the same first argument to several functions. */
export function bindFirst<G, F extends Record<string, (given: G, ...rest: never[]) => unknown>>(
  to: G,
  functions: F,
): { [K in keyof F]: F[K] extends (given: G, ...rest: infer R) => infer A ? (...rest: R) => A : never };
export function bindFirst(to: unknown, functions: Record<string, (given: unknown) => unknown>): object {
  return Object.fromEntries(Object.entries(functions).map(([name, work]) => [name, work.bind(null, to)]));
}
