export type Kind = "key-value" | "list" | "map" | "set" | "sorted-set";
/** All stores of one kind in a hive. */
export type Shelf = { hive: string; kind: Kind };
/** One store of a hive. */
export type Place = Shelf & { key: string };
export type Spot = { hive: string; key: string };

/** Metadata of a key, with its value in a key-value store. */
export type Known = { value: string | null; entries: number; endsAt: Date | null; usedAt: Date };
export type Page = { pattern: string; cursor: number; size: number };

/** JSON with its identifier: the field of a map, or a hash of the value. */
export type Entry = { field: string; value: string };
export type Scored = { score: number; value: string };
export type ScoredEntry = Entry & { score: number };
export type Condition = "IfExists" | "IfNotExists" | "Always";
export type End = "first" | "last";
export type Combining = "difference" | "intersection" | "union";
export type Adding = {
  duplicates?: "OnlyUpdate" | "AlwaysAdd" | undefined;
  scores?: "Greater" | "Less" | undefined;
  result?: "NewAdded" | "TotalChanged" | undefined;
};
type Bound = { score: number; included: boolean } | null;
/** A range of scores; null is unbounded. */
export type Bounds = { min: Bound; max: Bound };
export type Cut = { offset?: number | undefined; most?: number | undefined; reverse?: boolean | undefined };

/**
 * Storage of hives, with names validated before. Every change is atomic. All calls except those on hive names
 * throw `not-found` for an unknown hive; calls that add throw `too-large`.
 */
export type Store = {
  hives: {
    names: () => Promise<string[]>;
    create: (name: string) => Promise<void>;
    remove: (name: string) => Promise<void>;
    rename: (name: string, newName: string) => Promise<void>;
    empty: () => Promise<void>;
  };
  keys: {
    list: (shelf: Shelf, page: Page) => Promise<{ keys: string[]; cursorId: string }>;
    count: (shelf: Shelf, keys: string[]) => Promise<number>;
    remove: (shelf: Shelf, keys: string[]) => Promise<number>;
    touch: (shelf: Shelf, keys: string[]) => Promise<number>;
    find: (place: Place) => Promise<Known | undefined>;
    /** Sets when a key expires; null for never. False if it does not exist. */
    end: (place: Place, until: Date | null) => Promise<boolean>;
    rename: (place: Place, newKey: string, overwrite: boolean) => Promise<boolean>;
  };
  values: {
    read: (hive: string, keys: string[]) => Promise<Map<string, string>>;
    write: (hive: string, values: Entry[]) => Promise<void>;
    writeIf: (spot: Spot, to: { value: string; until: Date | null; condition: Condition }) => Promise<boolean>;
    add: (spot: Spot, by: number) => Promise<number>;
  };
  /** Entries of maps and sets. */
  entries: {
    /** Entries of these fields, or all, in field order. */
    read: (place: Place, fields?: string[]) => Promise<Entry[]>;
    /** Sets entries; returns how many fields are new. */
    put: (place: Place, entries: Entry[]) => Promise<number>;
    /** Sets an entry unless its field exists. */
    putNew: (place: Place, entry: Entry) => Promise<boolean>;
    add: (place: Place, field: string, by: number) => Promise<number>;
    remove: (place: Place, fields: string[]) => Promise<number>;
    random: (place: Place, count: number) => Promise<string[]>;
    takeRandom: (place: Place, count: number) => Promise<string[]>;
    combine: (shelf: Shelf, how: Combining, keys: string[]) => Promise<string[]>;
  };
  lists: {
    read: (spot: Spot, from: number, to: number) => Promise<string[]>;
    item: (spot: Spot, index: number) => Promise<string | null>;
    /** Returns the new length. */
    add: (spot: Spot, end: End, items: Entry[]) => Promise<number>;
    take: (spot: Spot, end: End, count: number) => Promise<string[]>;
    remove: (spot: Spot, field: string, count: number) => Promise<number>;
    /** Returns the new length, or -1 without the anchor. */
    insert: (spot: Spot, item: Entry, anchor: string, side: "before" | "after") => Promise<number>;
  };
  scores: {
    add: (spot: Spot, entries: ScoredEntry[], how: Adding) => Promise<number>;
    /** Adds to a score, or to 0; returns the new score. */
    addTo: (spot: Spot, entry: Entry, by: number) => Promise<number>;
    take: (spot: Spot, end: "max" | "min", count: number) => Promise<Scored[]>;
    random: (spot: Spot, count: number) => Promise<Scored[]>;
    of: (spot: Spot, field: string) => Promise<number | null>;
    rank: (spot: Spot, field: string, reverse: boolean) => Promise<number | null>;
    byRank: (spot: Spot, range: [number, number], reverse: boolean) => Promise<Scored[]>;
    byScore: (spot: Spot, bounds: Bounds, cut: Cut) => Promise<Scored[]>;
    remove: (spot: Spot, fields: string[]) => Promise<number>;
    removeByRank: (spot: Spot, range: [number, number]) => Promise<number>;
    removeByScore: (spot: Spot, bounds: Bounds) => Promise<number>;
    count: (spot: Spot, bounds: Bounds) => Promise<number>;
  };
};

export const LONGEST_NAME = 250;
export const MOST_HIVES = 1_000;
export const MOST_KEYS = 100_000;
export const MOST_ENTRIES = 100_000;
/** Characters of all entries of one store. */
export const LARGEST = 20_000_000;
/** Entries of all sets combined in one call, as many as two of the largest hold; then their characters. */
export const MOST_COMBINED = 2 * MOST_ENTRIES;
export const LARGEST_COMBINED = 2 * LARGEST;

/** Binds the same first argument to several functions. */
export const given = <G, F extends Record<string, (given: G, ...rest: never[]) => unknown>>(to: G, functions: F) =>
  Object.fromEntries(Object.entries(functions).map(([name, work]) => [name, work.bind(null, to)])) as {
    [K in keyof F]: F[K] extends (given: G, ...rest: infer R) => infer A ? (...rest: R) => A : never;
  };
