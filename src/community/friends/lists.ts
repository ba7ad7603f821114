import { type Db, many, sql } from "#platform/database";
import { cursorOf, given, type Page, pageOf, type PersonCard, prefixQuery, readCursor } from "#community/common";
import { LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { mutedOf } from "./mutes.ts";
import { signedIn } from "./signed-in.ts";
import { friendIds } from "./sight.ts";

export type FriendRow = PersonCard & {
  since: Date;
  note: string;
  mutualFriends: number;
  isMuted: boolean;
  /** For a suggestion: why. */
  reason: "friends" | "group" | null;
  groupInCommon: string | null;
};
export type FriendsQuery = { tab: "friends" | "received" | "sent" | "suggestions"; search?: string; after?: string };

const SIZE = LIMITS.page.people;

/** Friends by name; requests by age; suggestions by what one has in common. Throws `not-signed-in`. */
export async function friendsOf(db: Db, viewer: Viewer, query: FriendsQuery): Promise<Page<FriendRow>> {
  const me = signedIn(viewer);
  if (query.tab === "suggestions") return { rows: await suggestionsFor(db, me), next: null };
  if (query.tab === "friends") return byName(db, me, query);
  return byAge(db, me, query.tab, query.after);
}

const PRESENT = sql`p.state in ('active', 'limited', 'suspended', 'ghost')`;
const CARD = sql`p.id, p.username, p.display_name as name, p.photo_id as "photoId"`;
const isMuted = (me: SignedIn) => sql`p.id = any(${mutedOf(me)}) as "isMuted"`;
const mutual = (me: SignedIn) => sql`
  (select count(*)::int from (${friendIds(sql`p.id`)}) theirs where theirs.id = any(array(${friendIds(sql`${me.id}::uuid`)})))`;

async function byName(db: Db, me: SignedIn, { search, after }: FriendsQuery): Promise<Page<FriendRow>> {
  const cursor = readCursor(after, ["text", "id"]);
  const words = prefixQuery(search);
  const rows = await many(
    db,
    sql<FriendRow>`
      select ${CARD}, f.since, '' as note, ${mutual(me)} as "mutualFriends", ${isMuted(me)}, null as reason, null as "groupInCommon"
      from (select high_id as id, changed_at as since from friendships where low_id = ${me.id} and state = 'friends'
            union all select low_id, changed_at from friendships where high_id = ${me.id} and state = 'friends') f
      join people p on p.id = f.id
      where ${PRESENT} ${given(words, (it) => sql`${NAME_WORDS} @@ to_tsquery('simple', ${it})`)}
        ${given(cursor, ([name, id]) => sql`(lower(p.display_name), p.id) > (lower(${name}), ${id}::uuid)`)}
      order by lower(p.display_name), p.id
      limit ${SIZE + 1}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.name, last.id));
}

/** What finds a person: the name and the user name, word by word. The index people_words has the same expression. */
export const NAME_WORDS = sql`to_tsvector('simple', p.display_name || ' ' || translate(p.username, '_.-', '   '))`;

async function byAge(db: Db, me: SignedIn, tab: "received" | "sent", after: string | undefined): Promise<Page<FriendRow>> {
  const cursor = readCursor(after, ["time", "id"]);
  // A declined request looks to its sender like one that waits, for 90 days.
  const those =
    tab === "received"
      ? sql`f.state = 'pending' and f.requested_by <> ${me.id}`
      : sql`f.requested_by = ${me.id} and (f.state = 'pending' or (f.state = 'declined' and not f.cancelled and f.changed_at > now() - interval '90 days'))`;
  const rows = await many(
    db,
    sql<FriendRow>`
      select ${CARD}, f.requested_at as since, f.note, ${mutual(me)} as "mutualFriends", ${isMuted(me)}, null as reason, null as "groupInCommon"
      from (select *, high_id as other from friendships where low_id = ${me.id}
            union all select *, low_id from friendships where high_id = ${me.id}) f
      join people p on p.id = f.other
      where ${PRESENT} and ${those} ${given(cursor, ([at, id]) => sql`(f.requested_at, p.id) < (${at}, ${id}::uuid)`)}
      order by f.requested_at desc, p.id desc
      limit ${SIZE + 1}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.since, last.id));
}

/** In a group larger than this, being in it too is no reason to know each other. */
const SMALL_GROUP = 60;

const suggestionsFor = (db: Db, me: SignedIn) =>
  many(
    db,
    sql<FriendRow>`
      with mine as materialized (${friendIds(sql`${me.id}::uuid`)}),
      settled as materialized (
        select high_id as id from friendships where low_id = ${me.id} union all select low_id from friendships where high_id = ${me.id}
        union all select blocked_id from blocks where blocker_id = ${me.id} union all select blocker_id from blocks where blocked_id = ${me.id}
        union all select unnest(${mutedOf(me)}) union all select ${me.id}::uuid),
      by_friends as (
        select theirs.id, count(*)::int as mutual from mine cross join lateral (${friendIds(sql`mine.id`)}) theirs group by theirs.id),
      by_group as (
        select distinct on (theirs.person_id) theirs.person_id as id, g.name from memberships ours
        join groups g on g.id = ours.group_id and g.state = 'active' and g.members_count <= ${SMALL_GROUP}
        join memberships theirs on theirs.group_id = g.id and theirs.state = 'member'
        where ours.person_id = ${me.id} and ours.state = 'member'
        order by theirs.person_id, g.members_count)
      select ${CARD}, p.created_at as since, '' as note, coalesce(b.mutual, 0) as "mutualFriends", false as "isMuted",
        case when b.id is null then 'group' else 'friends' end as reason, c.name as "groupInCommon"
      from (select id from by_friends union select id from by_group) found
      join people p on p.id = found.id
      left join by_friends b on b.id = p.id
      left join by_group c on c.id = p.id
      where p.state in ('active', 'limited') and p.id not in (select id from settled)
        and coalesce(p.privacy->>'friendRequests', 'everyone') <> 'nobody'
      order by coalesce(b.mutual, 0) desc, lower(p.display_name), p.id
      limit ${LIMITS.page.cards}`,
  );
