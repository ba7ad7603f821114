import { type Db, many, sql } from "#platform/database";
import { privacyDefaults } from "#community/rules";
import type { PresenceVisibility } from "./subscription-scopes.ts";

/**
 * Presence in channels of API clients, outside groups and conversations: a person is shown to all who are
 * not blocked either way, if they share their online status (`showOnline`).
 */
export async function getPresenceOutsideCommunity(
  db: Db,
  personId: string,
  others: string[],
): Promise<PresenceVisibility> {
  const rows = await many(
    db,
    sql<{ id: string; shares: boolean; blockedEitherWay: boolean }>`
      select p.id, coalesce((p.privacy->>'showOnline')::boolean, ${privacyDefaults.showOnline}) as shares,
        exists (select from blocks b
          where (b.blocker_id = p.id and b.blocked_id = ${personId})
            or (b.blocker_id = ${personId} and b.blocked_id = p.id)) as "blockedEitherWay"
      from people p where p.id = any(${[personId, ...others]}::uuid[]) and p.state in ('active', 'limited')`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const meets = (other: string) =>
    byId.get(other)?.blockedEitherWay === false ? byId.get(other) : undefined;
  const shares = byId.get(personId)?.shares ?? false;
  return {
    shownTo: (other) => shares && meets(other) !== undefined,
    sees: (other) => meets(other)?.shares ?? false,
  };
}
