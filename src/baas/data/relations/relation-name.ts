/** A relation requested by a call: to one object, or a list. */
export type RelationInput = { toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" };
export type RelationName = { name: string; wanted: RelationInput | null };

/**
 * Parses a relation name: `kids`, or `kids:Kid:n` (`kids:Kid:1`) for one that is created if missing; a list
 * without a number. Other texts are plain names that no table has.
 */
export function parseRelationName(text: string): RelationName {
  const parts = /^([^:]+):([^:]+)(?::([1nN]))?$/.exec(text);
  if (!parts) return { name: text, wanted: null };
  const [, name, toTable, count] = parts;
  return { name: name!, wanted: { toTable: toTable!, kind: count === "1" ? "ONE_TO_ONE" : "ONE_TO_MANY" } };
}
