import { type Db, limit, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { encodeCursor, andIfGiven, type Page, toPage, type PersonCard, readCursor } from "#community/common";
import { requireSignedIn, visiblePersonCard } from "#community/friends";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";
import { moderationEntryVisible } from "./site-log.ts";

export type GroupLogEntry = {
  id: string;
  at: Date;
  act: string;
  by: PersonCard | null;
  /** The person whom the action concerned, if any. */
  whom: PersonCard | null;
  kind: string;
  objectId: string;
  reason: string | null;
  details: Record<string, string | number | boolean | null>;
};

/**
 * Moderators' actions in a group, latest first, 50 a page.
 * @throws `not-allowed` for everyone else
 */
export async function listGroupLog(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  query: { after?: string } = {},
): Promise<Page<GroupLogEntry>> {
  if (!groupRules.approveMembers(viewer, group))
    throw new Refusal("not-allowed", "Only moderators of the group can see its log.");
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<GroupLogEntry>`
      select a.id, a.at, a.act, ${visiblePersonCard(viewer, "actor", true)} as by,
        ${visiblePersonCard(viewer, "whom", true)} as whom,
        a.object_kind as kind, a.object_id as "objectId", a.reason, a.details
      from audit_events a
      left join people actor on actor.id = a.actor_id
      left join people whom on whom.id = (a.details->>'personId')::uuid
      where (a.object_kind not in ('report', 'case') or ${moderationEntryVisible(requireSignedIn(viewer))})
        and ((a.object_kind = 'group' and a.object_id = ${group.id}::text)
        or (a.details ? 'groupId' and a.details->>'groupId' = ${group.id}::text))
        ${andIfGiven(cursor, ([at, id]) => sql`(a.at, a.id) < (${at}, ${id}::uuid)`)}
      order by a.at desc, a.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.at, last.id));
}
