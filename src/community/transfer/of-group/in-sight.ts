import { sql } from "#platform/database";
import { blockedOf, blockersOf } from "#community/friends";
import { discussionReadable, viewersTie } from "#community/groups";
import { resourcesGroup, resourceVisible } from "#community/resources";
import { type GroupFacts, groupRules, type SignedIn } from "#community/rules";

export type AGroup = GroupFacts & { id: string };

/** Who is told of where a page names nobody: whoever keeps something in the library and blocks its reader. */
export const NOBODY = "nobody";

/**
 * What its owner has before their eyes of a group, in fragments for statements. What was deleted or taken away is on its way out, and stays behind.
 */
export function inSight(me: SignedIn, group: AGroup) {
  const { id } = group;
  const moderates = sql<boolean>`${groupRules.moderate(me, group)}::boolean`;
  const discussions = sql`(
    select d.id from discussions d join groups g on g.id = d.group_id ${viewersTie(me)}
    where d.group_id = ${id} and d.state <> 'deleted' and ${discussionReadable})`;
  // What the scanner still looks at nobody has yet.
  const resources = sql`(
    select r.id from resources r ${resourcesGroup(me)} left join uploads u on u.id = r.upload_id
    where r.group_id = ${id} and r.state = 'published' and ${resourceVisible(me)} and u.state is distinct from 'scanning')`;
  const blockers = blockersOf(me);
  return {
    discussions,
    resources,
    /** Posts, each with its number and its place, whatever stands there. */
    posts: sql`(select p.* from posts p where p.discussion_id in ${discussions} union all select p.* from posts p where p.resource_id in ${resources})`,
    /** The post `p` has its words: the twin of `discussionRules.stub` for who looks after the group, whom nobody's block keeps from anything there. */
    shown: sql<boolean>`((p.state = 'published' or (p.state = 'hidden' and (p.author_id = ${me.id} or ${moderates})))
      and p.author_id <> all(${blockedOf(me)}))`,
    /** Why the post `p` was removed, for those who look after the place. */
    moderates,
    /** Somebody as the library names them. */
    named: (person: string) => {
      const p = sql.ref(person);
      return sql<string>`case when ${p} = any(${blockers}) then ${NOBODY} else ${p}::text end`;
    },
    /** Somebody, or null, where a page can leave it open who it was. */
    ifNamed: (person: string) => {
      const p = sql.ref(person);
      return sql<string | null>`case when ${p} <> all(${blockers}) then ${p} end`;
    },
    members: sql`(select l.person_id from memberships l where l.group_id = ${id} and l.state = 'member')`,
  };
}
export type InSight = ReturnType<typeof inSight>;
