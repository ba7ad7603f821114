/** A relation column that a call asks for: one object, or a list. */
export type NewRelationColumn = { toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" };
export type RelationName = { name: string; wanted: NewRelationColumn | null };

/**
 * Reads how a call names a relation: `kids`, or `kids:Kid:n` (`kids:Kid:1`) for one that is created if the table has none of that name.
 * Without a number at the end the relation is a list. Other texts are names of their own, which no table has.
 */
export function parseRelationName(text: string): RelationName {
  const parts = /^([^:]+):([^:]+)(?::([1nN]))?$/.exec(text);
  if (!parts) return { name: text, wanted: null };
  const [, name, toTable, count] = parts;
  return { name: name!, wanted: { toTable: toTable!, kind: count === "1" ? "ONE_TO_ONE" : "ONE_TO_MANY" } };
}
