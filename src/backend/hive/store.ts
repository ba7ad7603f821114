export type Kind = "key-value" | "list" | "map" | "set" | "sorted-set";
/** All stores of a kind in one hive. */
export type Shelf = { hive: string; kind: Kind };
/** One store, or one value. */
export type Place = Shelf & { key: string };
export type Spot = { hive: string; key: string };

/** What is known of a key, and of a key-value store its value. */
export type Known = { value: string | null; entries: number; endsAt: Date | null; usedAt: Date };
export type Page = { pattern: string; cursor: number; size: number };

/** JSON by what it is known by: the name that a map has for it, or a hash of it. */
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
/** From one score to another; null is no bound. */
export type Bounds = { min: Bound; max: Bound };
export type Cut = { offset?: number | undefined; most?: number | undefined; reverse?: boolean | undefined };

/**
 * What keeps hives: texts under names that have been looked at before. Each change is one step that nobody comes between, and is there as a whole or
 * not at all. All but names of hives throw `not-found` for a hive that is none; what adds something throws `too-large`.
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
    /** Ends a key at a moment, or at none; false without it. */
    end: (place: Place, until: Date | null) => Promise<boolean>;
    rename: (place: Place, newKey: string, overwrite: boolean) => Promise<boolean>;
  };
  values: {
    read: (hive: string, keys: string[]) => Promise<Map<string, string>>;
    write: (hive: string, values: Entry[]) => Promise<void>;
    writeIf: (spot: Spot, to: { value: string; until: Date | null; condition: Condition }) => Promise<boolean>;
    add: (spot: Spot, by: number) => Promise<number>;
  };
  /** Of maps and sets. */
  entries: {
    /** Those of these fields, or all, in the order of fields. */
    read: (place: Place, fields?: string[]) => Promise<Entry[]>;
    /** Writes entries over those of their fields; how many fields are new. */
    put: (place: Place, entries: Entry[]) => Promise<number>;
    /** Unless there is one of its field. */
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
    /** How many there are then. */
    add: (spot: Spot, end: End, items: Entry[]) => Promise<number>;
    take: (spot: Spot, end: End, count: number) => Promise<string[]>;
    remove: (spot: Spot, field: string, count: number) => Promise<number>;
    /** How many there are then, or -1 without the anchor. */
    insert: (spot: Spot, item: Entry, anchor: string, side: "before" | "after") => Promise<number>;
  };
  scores: {
    add: (spot: Spot, entries: ScoredEntry[], how: Adding) => Promise<number>;
    /** Adds to a score, or to 0; what it is then. */
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
/** Entries of all the sets that are looked at together, as many as two of the largest have; and no more characters. */
export const MOST_COMBINED = 2 * MOST_ENTRIES;
export const LARGEST_COMBINED = 2 * LARGEST;

/** Functions that begin with the same thing, with that thing given. */
export const given = <G, F extends Record<string, (given: G, ...rest: never[]) => unknown>>(to: G, functions: F) =>
  Object.fromEntries(Object.entries(functions).map(([name, work]) => [name, work.bind(null, to)])) as {
    [K in keyof F]: F[K] extends (given: G, ...rest: infer R) => infer A ? (...rest: R) => A : never;
  };
