import { sql } from "#platform/database";
import { blockedIds, blockerIds } from "#community/friends";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import { joinResourceGroup, isResourceVisible } from "#community/resources";
import { type GroupFacts, groupRules, type SignedIn } from "#community/rules";

export type ExportedGroup = GroupFacts & { id: string };

/** Id in place of a person whom pages do not name to the reader: a resource owner who blocks the reader. */
export const UNNAMED_PERSON = "nobody";

/** SQL fragments for what a group's owner can see in it. Deleted and removed content is excluded. */
export function createVisibleContent(me: SignedIn, group: ExportedGroup) {
  const { id } = group;
  const moderates = sql<boolean>`${groupRules.moderate(me, group)}::boolean`;
  const discussions = sql`(
    select d.id from discussions d join groups g on g.id = d.group_id ${viewerMembership(me, "g", "m")}
    where d.group_id = ${id} and d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")})`;
  // Files still being scanned are visible to no one.
  const resources = sql`(
    select r.id from resources r ${joinResourceGroup(me, "r", "g", "m")} left
    join uploads u on u.id = r.upload_id
    where r.group_id = ${id} and r.state = 'published' and ${isResourceVisible(me, "r", "g", "m")}
      and u.state is distinct from 'scanning')`;
  const blockers = blockerIds(me);
  return {
    discussions,
    resources,
    /** Posts with number and position, in any state. */
    posts: sql`(select p.* from posts p where p.discussion_id in ${discussions} union all select p.*
      from posts p where p.resource_id in ${resources})`,
    /**
     * Whether the text of the post `p` is visible: SQL equivalent of `discussionRules.stub`. A moderator
     * also sees posts by people who block them.
     */
    shown: sql<boolean>`((p.state = 'published'
      or (p.state = 'hidden' and (p.author_id = ${me.id} or ${moderates})))
      and p.author_id <> all(${blockedIds(me)}))`,
    /** Whether the reader may see the reason why a post was removed. */
    moderates,
    /** A person's id, or `UNNAMED_PERSON` if that person blocks the reader. */
    named: (person: string) => {
      const p = sql.ref(person);
      return sql<string>`case when ${p} = any(${blockers}) then ${UNNAMED_PERSON} else ${p}::text end`;
    },
    /** A person's id, or null if that person blocks the reader. */
    ifNamed: (person: string) => {
      const p = sql.ref(person);
      return sql<string | null>`case when ${p} <> all(${blockers}) then ${p} end`;
    },
    members: sql`(select l.person_id from memberships l where l.group_id = ${id} and l.state = 'member')`,
  };
}
export type VisibleContent = ReturnType<typeof createVisibleContent>;
