import { type Db, limit, many, sql } from "#platform/database";
import { blockerIds } from "#community/friends";
import { type GroupFacts, groupRules, type JoinPolicy, type Viewer, type Visibility } from "#community/rules";
import { isGroupReadable, viewerMembership } from "./group-columns.ts";

export type RelatedGroup = {
  slug: string;
  name: string;
  purpose: string;
  visibility: Visibility;
  joinPolicy: JoinPolicy;
};

const MAX_RELATED = 5;
/**
 * Maximum number of members examined in a large group: related groups are a suggestion and need not be exact.
 */
const MEMBERS_SAMPLED = 500;
/** Maximum number of groups examined for each member. */
const GROUPS_PER_MEMBER = 50;
/** Maximum number of candidates. The check which of them the viewer may see comes later and drops few. */
const MAX_CANDIDATE_GROUPS = 100;
/** One shared member says little about how two groups are related, and would reveal that member's groups. */
const MIN_SHARED_MEMBERS = 2;

/**
 * At most five groups that share most members with this one; the viewer and people who blocked them are not
 * counted. Empty for viewers who may not see members. A listed group reveals memberships, so only groups
 * whose members the viewer may see are listed.
 */
export async function listRelatedGroups(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<RelatedGroup[]> {
  if (!groupRules.seeMembers(viewer, group)) return [];
  return many(
    db,
    sql<RelatedGroup>`
      with members as materialized (
        select person_id from memberships
        where group_id = ${group.id} and state = 'member' and person_id <> ${viewer.id}::uuid
          and person_id <> all(${blockerIds(viewer)})
        order by role desc, joined_at desc, person_id desc ${limit(MEMBERS_SAMPLED)}),
      near as materialized (
        select theirs.group_id, count(*) as shared
        from members cross join lateral (
          select group_id from memberships
            where person_id = members.person_id and state = 'member' ${limit(GROUPS_PER_MEMBER)}) theirs
        where theirs.group_id <> ${group.id}
        group by theirs.group_id having count(*) >= ${MIN_SHARED_MEMBERS}::int
        order by shared desc, theirs.group_id ${limit(MAX_CANDIDATE_GROUPS)})
      select g.slug, g.name, g.purpose, g.visibility, g.join_policy as "joinPolicy"
      from near join groups g on g.id = near.group_id ${viewerMembership(viewer, "g", "m")}
      where g.state = 'active' and ${isGroupReadable("g", "m")}
      order by near.shared desc, g.last_active_at desc, g.id ${limit(MAX_RELATED)}`,
  );
}
