import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { personColumns } from "#community/common";
import { LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { FriendRow } from "./friend-lists.ts";
import { mutedIds } from "./mute-conditions.ts";
import { requireSignedIn } from "./require-signed-in.ts";
import { friendIds } from "./block-visibility.ts";
import { getRelationship } from "./relationships.ts";

/**
 * Dismisses a suggestion permanently.
 * @throws `not-signed-in`, `not-found`
 */
export async function dismissSuggestion(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  await run(
    tx,
    sql`insert into dismissed_suggestions (person_id, suggested_id, dismissed_at)
      values (${me.id}, ${relationship.id}, ${tx.now}) on conflict do nothing`,
  );
  await emit(tx, { type: "friend.suggestion_dismissed", by: me.id });
}

/** Undoes a dismissal. */
export async function undoDismissal(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  await run(
    tx,
    sql`delete from dismissed_suggestions where person_id = ${me.id} and suggested_id = ${relationship.id}`,
  );
}

/** Maximum number of members of a group whose membership counts as a reason for a suggestion. */
const SMALL_GROUP = 60;

/**
 * Suggests friends of friends and members of small groups. People with a friendship or request, and blocked,
 * muted or dismissed ones are left out.
 */
export const listSuggestions = (db: Db, me: SignedIn) =>
  many(
    db,
    sql<FriendRow>`
      with mine as materialized (${friendIds(sql`${me.id}::uuid`)}),
      settled as materialized (
        select high_id as id from friendships where low_id = ${me.id} union all select low_id from friendships
        where high_id = ${me.id}
        union all select blocked_id from blocks where blocker_id = ${me.id} union all select blocker_id
        from blocks where blocked_id = ${me.id}
        union all select suggested_id from dismissed_suggestions where person_id = ${me.id}
        union all select unnest(${mutedIds(me)}) union all select ${me.id}::uuid),
      by_friends as (
        select theirs.id, count(*)::int as mutual from mine cross
        join lateral (${friendIds(sql`mine.id`)}) theirs group by theirs.id),
      by_group as (
        select distinct on (theirs.person_id) theirs.person_id as id, g.name from memberships ours
        join groups g on g.id = ours.group_id and g.state = 'active' and g.members_count <= ${SMALL_GROUP}
        join memberships theirs on theirs.group_id = g.id and theirs.state = 'member'
        where ours.person_id = ${me.id} and ours.state = 'member'
        order by theirs.person_id, g.members_count)
      select ${personColumns("p")}, p.created_at as since,
        '' as note, coalesce(b.mutual, 0) as "mutualFriends", false as "isMuted", null as "seenAt",
        case when b.id is null then 'group' else 'friends' end as reason, c.name as "groupInCommon"
      from (select id from by_friends union select id from by_group) found
      join people p on p.id = found.id
      left join by_friends b on b.id = p.id
      left join by_group c on c.id = p.id
      where p.state in ('active', 'limited') and p.id not in (select id from settled)
        and coalesce(p.privacy->>'friendRequests', 'everyone') <> 'nobody'
      order by coalesce(b.mutual, 0) desc, lower(p.display_name), p.id
      ${limit(LIMITS.page.cards)}`,
  );
