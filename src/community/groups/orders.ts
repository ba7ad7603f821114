import { sql } from "#platform/database";
import type { GroupCard } from "./cards.ts";

export type GroupOrder = keyof typeof ORDERS;
type Piece = ReturnType<typeof sql>;
type Value = Date | number | string;

/** What a list of groups `g` goes by, each with an index of its own: groups_by_activity, _members, _age, _name. */
const ORDERS = {
  active: { key: sql`g.last_active_at`, kind: "time", falls: true, of: (row: GroupCard): Value => row.lastActiveAt },
  members: { key: sql`g.members_count`, kind: "number", falls: true, of: (row: GroupCard): Value => row.membersCount },
  newest: { key: sql`g.created_at`, kind: "time", falls: true, of: (row: GroupCard): Value => row.createdAt },
  name: { key: sql`lower(g.name)`, kind: "text", falls: false, of: (row: GroupCard): Value => row.name },
} as const;

/** An order for a statement: what stands behind `order by`, and how a cursor names a place in it. */
export function inOrder(name: GroupOrder) {
  const { key, kind, falls, of } = ORDERS[name];
  const way = falls ? sql`desc` : sql`asc`;
  const place = (value: Value): Piece => (kind === "text" ? sql`lower(${value})` : sql`${value}`);
  return {
    by: sql`${key} ${way}, g.id ${way}`,
    shape: [kind, "id"] as const,
    beyond: ([value, id]: [Value, string]) => sql`(${key}, g.id) ${falls ? sql`<` : sql`>`} (${place(value)}, ${id}::uuid)`,
    placeOf: (last: GroupCard) => [of(last), last.id] as const,
  };
}
