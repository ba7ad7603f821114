import { type Db, limit, many, sql } from "#platform/database";
import { blockersOf } from "#community/friends";
import { type GroupFacts, groupRules, type JoinPolicy, type Viewer, type Visibility } from "#community/rules";
import { groupReadable, viewersTie } from "./sight.ts";

export type RelatedGroup = { slug: string; name: string; purpose: string; visibility: Visibility; joinPolicy: JoinPolicy };

const SHOWN = 5;
/** Of a large group as many members are asked, and of somebody in very many groups as many of these: a hint, not an audit. */
const MEMBERS = 500;
const GROUPS_OF_EACH = 50;
/** So many of those near are looked at, most of which the viewer may know of. */
const NEAR = 100;
/** One member in both says little of two groups, and much of that member. */
const SHARED = 2;

/**
 * Groups that share most members with this one, the viewer and whoever has blocked them not counted; 5 at most, and none for who does
 * not see who is in it. That a group stands here tells that members of this one are in it: so it is one whose members the viewer may
 * know as well, never a private one that they only know by name.
 */
export async function relatedGroups(db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<RelatedGroup[]> {
  if (!groupRules.seeMembers(viewer, group)) return [];
  return many(
    db,
    sql<RelatedGroup>`
      with members as materialized (
        select person_id from memberships
        where group_id = ${group.id} and state = 'member' and person_id <> ${viewer.id}::uuid and person_id <> all(${blockersOf(viewer)})
        order by role desc, joined_at desc, person_id desc ${limit(MEMBERS)}),
      near as materialized (
        select theirs.group_id, count(*) as shared
        from members cross join lateral (
          select group_id from memberships where person_id = members.person_id and state = 'member' ${limit(GROUPS_OF_EACH)}) theirs
        where theirs.group_id <> ${group.id}
        group by theirs.group_id having count(*) >= ${SHARED}::int
        order by shared desc, theirs.group_id ${limit(NEAR)})
      select g.slug, g.name, g.purpose, g.visibility, g.join_policy as "joinPolicy"
      from near join groups g on g.id = near.group_id ${viewersTie(viewer)}
      where g.state = 'active' and ${groupReadable}
      order by near.shared desc, g.last_active_at desc, g.id ${limit(SHOWN)}`,
  );
}
