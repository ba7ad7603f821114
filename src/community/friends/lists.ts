import { type Db, limit, many, sql } from "#platform/database";
import { cursorOf, given, type Page, pageOf, type PersonCard, prefixQuery, readCursor } from "#community/common";
import { LIMITS, privacyDefaults, type SignedIn, type Viewer } from "#community/rules";
import { mutedOf } from "./mutes.ts";
import { suggestionsFor } from "./suggestions.ts";
import { signedIn } from "./signed-in.ts";
import { friendIds } from "./sight.ts";

export type FriendRow = PersonCard & {
  since: Date;
  note: string;
  mutualFriends: number;
  isMuted: boolean;
  /** Last activity of a friend who shares it. */
  seenAt: Date | null;
  /** Reason of a suggestion. */
  reason: "friends" | "group" | null;
  groupInCommon: string | null;
};
export type FriendsQuery = { tab: "friends" | "received" | "sent" | "suggestions"; search?: string; sort?: FriendsOrder; after?: string };
export type FriendsOrder = "name" | "active";

const SIZE = LIMITS.page.cards;

/**
 * Friends by name, requests by age, suggestions by what the two share.
 * @throws `not-signed-in`
 */
export async function friendsOf(db: Db, viewer: Viewer, query: FriendsQuery): Promise<Page<FriendRow>> {
  const me = signedIn(viewer);
  if (query.tab === "suggestions") return { rows: await suggestionsFor(db, me), next: null };
  if (query.tab === "friends") return friendsBy(db, me, query);
  return byAge(db, me, query.tab, query.after);
}

const PRESENT = sql`p.state in ('active', 'limited', 'suspended', 'ghost')`;
const CARD = sql`p.id, p.username, p.display_name as name, p.photo_id as "photoId"`;
const isMuted = (me: SignedIn) => sql`p.id = any(${mutedOf(me)}) as "isMuted"`;
/**
 * The viewer's friends are read once and the others' looked up among them: `is true` keeps PostgreSQL from a
 * join for each row.
 */
const mutual = (me: SignedIn) => sql`
  (select count(*)::int from (${friendIds(sql`p.id`)}) theirs where (theirs.id in (${friendIds(sql`${me.id}::uuid`)})) is true)`;

/** Last activity of a friend who shares it; in milliseconds, like the cursor. */
const SEEN = sql<Date | null>`
  case when coalesce((p.privacy->>'showOnline')::boolean, ${privacyDefaults.showOnline}) then date_trunc('milliseconds', p.seen_at) end`;
const NEVER = sql`coalesce(${SEEN}, 'epoch'::timestamptz)`;

const ORDERS = {
  name: {
    shape: ["text", "id"],
    by: sql`lower(p.display_name), p.id`,
    beyond: (value: string | Date, id: string) => sql`(lower(p.display_name), p.id) > (lower(${value}), ${id}::uuid)`,
    of: (row: FriendRow) => cursorOf(row.name, row.id),
  },
  active: {
    shape: ["time", "id"],
    by: sql`${NEVER} desc, p.id desc`,
    beyond: (value: string | Date, id: string) => sql`(${NEVER}, p.id) < (${value}, ${id}::uuid)`,
    of: (row: FriendRow) => cursorOf(row.seenAt ?? new Date(0), row.id),
  },
} as const;

async function friendsBy(db: Db, me: SignedIn, { search, sort = "name", after }: FriendsQuery): Promise<Page<FriendRow>> {
  const order = ORDERS[sort];
  const cursor = readCursor(after, order.shape);
  const words = prefixQuery(search);
  const rows = await many(
    db,
    sql<FriendRow>`
      select ${CARD}, f.since, '' as note, ${mutual(me)} as "mutualFriends", ${isMuted(me)}, ${SEEN} as "seenAt", null as reason, null as "groupInCommon"
      from (select high_id as id, changed_at as since from friendships where low_id = ${me.id} and state = 'friends'
            union all select low_id, changed_at from friendships where high_id = ${me.id} and state = 'friends') f
      join people p on p.id = f.id
      where ${PRESENT} ${given(words, (it) => sql`${NAME_WORDS} @@ to_tsquery('simple', ${it})`)}
        ${given(cursor, ([value, id]) => order.beyond(value, id))}
      order by ${order.by}
      ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, order.of);
}

/** Search text of a person: name and username by words. The index people_words has the same expression. */
export const NAME_WORDS = sql`to_tsvector('simple', p.display_name || ' ' || translate(p.username, '_.-', '   '))`;

const received = (viewer: Viewer) => sql<boolean>`(f.state = 'pending' and f.requested_by <> ${viewer.id}::uuid)`;
/** Its sender sees a declined request as pending for 90 days. */
const sent = (viewer: Viewer) => sql<boolean>`(f.requested_by = ${viewer.id}::uuid
  and (f.state = 'pending' or (f.state = 'declined' and not f.cancelled and f.changed_at > now() - interval '90 days')))`;

/** Friendships `f` visible to the viewer: their own, and requests as far as they know of them. */
export const tieSeen = (viewer: Viewer) => sql<boolean>`
  (${viewer.id}::uuid in (f.low_id, f.high_id) and (f.state = 'friends' or ${received(viewer)} or ${sent(viewer)})
    and exists (select from people p where p.id in (f.low_id, f.high_id) and p.id <> ${viewer.id}::uuid and ${PRESENT}))`;

async function byAge(db: Db, me: SignedIn, tab: "received" | "sent", after: string | undefined): Promise<Page<FriendRow>> {
  const cursor = readCursor(after, ["time", "id"]);
  const those = tab === "received" ? received(me) : sent(me);
  const rows = await many(
    db,
    sql<FriendRow>`
      select ${CARD}, f.requested_at as since, f.note, ${mutual(me)} as "mutualFriends", ${isMuted(me)}, null as "seenAt", null as reason, null as "groupInCommon"
      from (select *, high_id as other from friendships where low_id = ${me.id}
            union all select *, low_id from friendships where high_id = ${me.id}) f
      join people p on p.id = f.other
      where ${PRESENT} and ${those} ${given(cursor, ([at, id]) => sql`(f.requested_at, p.id) < (${at}, ${id}::uuid)`)}
      order by f.requested_at desc, p.id desc
      ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.since, last.id));
}
