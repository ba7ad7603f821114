/**
 * Looks up an own property by an untrusted name. `table[name]` would also find inherited members
 * (`constructor`, `toString`).
 */
export const getOwnProperty = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
