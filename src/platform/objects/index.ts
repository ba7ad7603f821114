/**
 * Looks up an own property by an untrusted name. `table[name]` would also find inherited members
 * (`constructor`, `toString`).
 */
export const getOwnProperty = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Whether an untrusted name is an own property of a table; narrows the name to the table's keys. */
export const isKeyOf = <T extends object>(table: T, name: PropertyKey): name is keyof T & string =>
  typeof name === "string" && Object.hasOwn(table, name);

/** Whether a value is in a list of known values; narrows the value to the list's. */
export const isOneOf = <T>(list: readonly T[], value: unknown): value is T =>
  list.some((known) => known === value);

/** Whether a value is an object that is neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the keys of a table as its type declares them. For tables of our own: a value of a wider type may
 * have more keys than its declared type.
 */
export function keysOf<T extends object>(table: T): (keyof T & string)[];
export function keysOf(table: object): string[] {
  return Object.keys(table);
}

/** Returns the keys and values of a table as its type declares them, with the limits of `keysOf`. */
export function entriesOf<T extends object>(
  table: T,
): { [K in keyof T & string]: [K, T[K]] }[keyof T & string][];
export function entriesOf(table: object): [string, unknown][] {
  return Object.entries(table);
}

/** Creates a table with a value for each of a complete list of keys. */
export function createTable<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V>;
export function createTable(keys: readonly string[], value: (key: string) => unknown): object {
  return Object.fromEntries(keys.map((key) => [key, value(key)]));
}

/**
 * Reads a field that a library has but does not declare. The type is the caller's claim: each use needs a
 * test that fails when the library changes.
 */
export const readPrivateField = <T>(object: object, field: string): T => Reflect.get(object, field);

/** Converts each element of a list of fixed length. */
export function mapTuple<T extends readonly unknown[], R>(
  tuple: readonly [...T],
  convert: (element: T[number], index: number) => R,
): { [K in keyof T]: R };
export function mapTuple(tuple: readonly unknown[], convert: (element: unknown, index: number) => unknown) {
  return tuple.map(convert);
}
