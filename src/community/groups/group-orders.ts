import { sql } from "#platform/database";
import type { GroupCard } from "./group-columns.ts";

type SortValue = Date | number | string;
type SortKey = {
  of: (row: GroupCard) => SortValue;
  sql: ReturnType<typeof sql>;
  kind: "time" | "number" | "text";
};

const activityKey: SortKey = { sql: sql`g.last_active_at`, kind: "time", of: (row) => row.lastActiveAt };
const pinnedKey: SortKey = {
  sql: sql`(case when m.pinned_at is null then 0 else 1 end)`,
  kind: "number",
  of: (row) => (row.pinned ? 1 : 0),
};

/** Orders of groups to discover. Each has an index: groups_by_activity, _members, _age, _name. */
const GROUP_ORDERS = {
  active: { falls: true, keys: [activityKey] },
  members: {
    falls: true,
    keys: [{ sql: sql`g.members_count`, kind: "number", of: (row) => row.membersCount }],
  },
  newest: { falls: true, keys: [{ sql: sql`g.created_at`, kind: "time", of: (row) => row.createdAt }] },
  name: { falls: false, keys: [{ sql: sql`lower(g.name)`, kind: "text", of: (row) => row.name }] },
  /** The viewer's own groups are few and are sorted for each request. */
  own: { falls: true, keys: [pinnedKey, activityKey] },
} satisfies Record<string, { falls: boolean; keys: SortKey[] }>;

export type GroupOrder = Exclude<keyof typeof GROUP_ORDERS, "own">;

/** Builds an order for a statement: the `order by` expressions, and the cursor for a position. */
export function createGroupOrder(name: keyof typeof GROUP_ORDERS) {
  const { falls, keys }: { falls: boolean; keys: SortKey[] } = GROUP_ORDERS[name];
  const direction = falls ? sql`desc` : sql`asc`;
  const places = (values: SortValue[]) =>
    sql.join(
      keys.map(({ kind }, i) =>
        kind === "text"
          ? sql`lower(${values[i]})`
          : kind === "number"
            ? sql`${values[i]}::int`
            : sql`${values[i]}`,
      ),
    );
  return {
    by: sql`${sql.join(keys.map((key) => sql`${key.sql} ${direction}`))}, g.id ${direction}`,
    shape: [...keys.map(({ kind }) => kind), "id" as const],
    beyond: (at: SortValue[]) =>
      sql`(${sql.join(keys.map((key) => key.sql))}, g.id) ${falls ? sql`<` : sql`>`} (${places(at)},
        ${at.at(-1)}::uuid)`,
    placeOf: (last: GroupCard): SortValue[] => [...keys.map(({ of }) => of(last)), last.id],
  };
}

/** The viewer's own groups: pinned ones, then the latest active. */
export const ownGroupsOrder = createGroupOrder("own").by;
