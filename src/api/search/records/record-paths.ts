/**
 * Whether a value is an object whose attributes have paths such as `hierarchy.lvl1`. Lists count as values.
 */
const isNested = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The paths of all values of a record, in order. */
export const listRecordPaths = (record: object): string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isNested(value) ? listRecordPaths(value).map((path) => `${name}.${path}`) : [name],
  );

/** The value at a path; undefined where there is none. */
export const getAtPath = (record: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isNested(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      record,
    );

/**
 * Sets a value at a path, creating the objects around it. Paths come from our records, never from a request.
 */
export function setAtPath(record: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop()!;
  let at = record;
  for (const name of names) {
    const inner = at[name];
    at = isNested(inner) ? inner : (at[name] = {});
  }
  at[last] = value;
}
