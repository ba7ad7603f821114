/** A relation to create, as a call names it: to one object, or to a list. */
export type RelationInput = { toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" };
export type RelationName = { name: string; wanted: RelationInput | null };

/**
 * Parses the relation named by a call: `kids`, or `kids:Kid:n` (`kids:Kid:1` for one object), which is
 * created if missing. Without a number the relation is a list. Any other text is returned as a name that no
 * table has.
 */
export function parseRelationName(text: string): RelationName {
  const parts = /^([^:]+):([^:]+)(?::([1nN]))?$/.exec(text);
  if (!parts) return { name: text, wanted: null };
  const [, name, toTable, count] = parts;
  return { name: name!, wanted: { toTable: toTable!, kind: count === "1" ? "ONE_TO_ONE" : "ONE_TO_MANY" } };
}
