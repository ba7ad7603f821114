/**
 * What stands in a table under a name from outside. Every object has members that no table means (`constructor`, `toString`):
 * `table[name]` would find them.
 */
export const getOwn = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
