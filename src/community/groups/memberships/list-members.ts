import { type Db, limit, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  isAccountUnlisted,
  type Page,
  toPage,
  type PersonCard,
  prefixQuery,
  readCursor,
  personColumns,
} from "#community/common";
import { blockerIds, friendIds, nameSearchVector, requireSignedIn } from "#community/friends";
import {
  type GroupFacts,
  type GroupRole,
  groupRules,
  LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";

export type Member = PersonCard & { role: GroupRole; joinedAt: Date; isFriend: boolean };
/** `who` limits the list to moderators and owners (`leading`) or to friends of the viewer. */
export type MembersQuery = { after?: string; who?: "leading" | "friends"; search?: string };

/**
 * Members of a group: owners, moderators, then the newest members. Deactivated accounts are left out.
 * @throws `not-signed-in` for guests, `not-allowed` for viewers who may not read the group
 */
export async function listMembers(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  query: MembersQuery,
): Promise<Page<Member>> {
  const me = requireSignedIn(viewer);
  if (!groupRules.seeMembers(me, group))
    throw new Refusal("not-allowed", "Only members can see who is in this group.");
  const cursor = readCursor(query.after, ["text", "time", "id"]);
  const words = prefixQuery(query.search);
  const rows = await many(
    db,
    sql<Member>`
      select ${personColumns("p")}, l.role,
        l.joined_at as "joinedAt",
        p.id = any(${friendIdsArray(me)}) as "isFriend"
      from memberships l join people p on p.id = l.person_id
      where l.group_id = ${group.id} and l.state = 'member' and not ${isAccountUnlisted("p")}
        and p.id <> all(${blockerIds(me, groupRules.pastBlocks(me, group))})
        ${andIfGiven(query.who, (who) => MEMBER_FILTERS[who](me))}
        ${andIfGiven(words, (it) => sql`${nameSearchVector("p")} @@ to_tsquery('simple', ${it})`)}
        ${andIfGiven(
          cursor,
          ([role, at, id]) => sql`(l.role, l.joined_at, l.person_id) < (${role}, ${at},
          ${id}::uuid)`,
        )}
      order by l.role desc, l.joined_at desc, l.person_id desc
      ${limit(LIMITS.page.people + 1)}`,
  );
  return toPage(rows, LIMITS.page.people, (last) => encodeCursor(last.role, last.joinedAt, last.id));
}

const friendIdsArray = (me: SignedIn) => sql`array(${friendIds(sql`${me.id}::uuid`)})`;

const MEMBER_FILTERS = {
  // Alphabetically, `moderator` and `owner` are after `member`: one range of the index memberships_in_order.
  leading: () => sql`l.role > 'member'`,
  friends: (me: SignedIn) => sql`l.person_id = any(${friendIdsArray(me)})`,
};
