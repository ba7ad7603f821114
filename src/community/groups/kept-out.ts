import { type Db, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";

export type KeptOut = { person: PersonCard; reason: string; since: Date; /** Null: until it is lifted. */ until: Date | null };

/** Who is kept out of a group, the latest first; 200 at most. `not-allowed` for who may not change that. */
export async function keptOutOf(db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<KeptOut[]> {
  if (!groupRules.remove(viewer, group, { id: "", role: null }))
    throw new Refusal("not-allowed", "Only those who look after the group decide who stays in it.");
  return many(
    db,
    sql<KeptOut>`
      select ${personCard("p")} as person, m.reason, m.changed_at as since, m.banned_until as until
      from memberships m join people p on p.id = m.person_id
      where m.group_id = ${group.id} and m.state = 'banned' order by m.changed_at desc, p.id limit 200`,
  );
}
