import { type Db, limit, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { cursorOf, given, type Page, pageOf, type PersonCard, readCursor } from "#community/common";
import { cardFor } from "#community/friends";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";

export type LoggedAct = {
  id: string;
  at: Date;
  act: string;
  by: PersonCard | null;
  /** The person it concerned, if any. */
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
export async function groupLog(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  query: { after?: string } = {},
): Promise<Page<LoggedAct>> {
  if (!groupRules.admit(viewer, group)) throw new Refusal("not-allowed", "Only those who look after the group see its log.");
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<LoggedAct>`
      select a.id, a.at, a.act, ${cardFor(viewer, "actor", true)} as by, ${cardFor(viewer, "whom", true)} as whom,
        a.object_kind as kind, a.object_id as "objectId", a.reason, a.details
      from audit_events a
      left join people actor on actor.id = a.actor_id
      left join people whom on whom.id = (a.details->>'personId')::uuid
      where ((a.object_kind = 'group' and a.object_id = ${group.id}::text) or (a.details ? 'groupId' and a.details->>'groupId' = ${group.id}::text))
        ${given(cursor, ([at, id]) => sql`(a.at, a.id) < (${at}, ${id}::uuid)`)}
      order by a.at desc, a.id desc ${limit(LIMITS.page.people + 1)}`,
  );
  return pageOf(rows, LIMITS.page.people, (last) => cursorOf(last.at, last.id));
}
