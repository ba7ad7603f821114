import { type Db, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { type PersonCard } from "#community/common";
import { cardFor } from "#community/friends";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";

export type LoggedAct = { id: string; at: Date; act: string; by: PersonCard | null; kind: string; objectId: string; reason: string | null };

/** What those who look after a group did in it, the latest first. `not-allowed` for everybody else. */
export async function groupLog(db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<LoggedAct[]> {
  if (!groupRules.admit(viewer, group)) throw new Refusal("not-allowed", "Only those who look after the group see its log.");
  return many(
    db,
    sql<LoggedAct>`
      select a.id, a.at, a.act, ${cardFor(viewer, "actor")} as by, a.object_kind as kind, a.object_id as "objectId", a.reason
      from audit_events a left join people actor on actor.id = a.actor_id
      where (a.object_kind = 'group' and a.object_id = ${group.id}::text) or (a.details ? 'groupId' and a.details->>'groupId' = ${group.id}::text)
      order by a.at desc, a.id desc limit 100`,
  );
}
