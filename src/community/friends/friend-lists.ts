import { type Db, limit, many, sql } from "#platform/database";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personColumns,
  type PersonCard,
  prefixQuery,
  readCursor,
} from "#community/common";
import { LIMITS, privacyDefaults, type SignedIn, type Viewer } from "#community/rules";
import { mutedIds } from "./mute-conditions.ts";
import { listSuggestions } from "./friend-suggestions.ts";
import { requireSignedIn } from "./require-signed-in.ts";
import { friendIds } from "./block-visibility.ts";

export type FriendRow = PersonCard & {
  since: Date;
  note: string;
  mutualFriends: number;
  isMuted: boolean;
  /** Last activity of a friend; null if they do not share it. */
  seenAt: Date | null;
  /** Reason of a suggestion. */
  reason: "friends" | "group" | null;
  groupInCommon: string | null;
};
export type FriendsQuery = {
  tab: "friends" | "received" | "sent" | "suggestions";
  search?: string;
  sort?: FriendsOrder;
  after?: string;
};
export type FriendsOrder = "name" | "active";

const PAGE_SIZE = LIMITS.page.cards;

/**
 * A page of one tab: friends by name or activity, requests by age, suggestions by number of mutual friends.
 * @throws `not-signed-in`
 */
export async function listFriends(db: Db, viewer: Viewer, query: FriendsQuery): Promise<Page<FriendRow>> {
  const me = requireSignedIn(viewer);
  if (query.tab === "suggestions") return { rows: await listSuggestions(db, me), next: null };
  if (query.tab === "friends") return listSortedFriends(db, me, query);
  return listRequestsByAge(db, me, query.tab, query.after);
}

const IS_PRESENT = sql`p.state in ('active', 'limited', 'suspended', 'ghost')`;
const isMuted = (me: SignedIn) => sql`p.id = any(${mutedIds(me)}) as "isMuted"`;
/**
 * Number of mutual friends. The viewer's friends are read once, and each person's friends are looked up
 * among them: `is true` keeps PostgreSQL from a join for each row.
 */
const mutualFriendCount = (me: SignedIn) => sql`
  (select count(*)::int from (${friendIds(sql`p.id`)}) theirs
  where (theirs.id in (${friendIds(sql`${me.id}::uuid`)})) is true)`;

/** Last activity of a friend who shares it, truncated to milliseconds like the cursor. */
const LAST_SEEN = sql<Date | null>`
  case when coalesce((p.privacy->>'showOnline')::boolean,
    ${privacyDefaults.showOnline}) then date_trunc('milliseconds', p.seen_at) end`;
const LAST_SEEN_SORT = sql`coalesce(${LAST_SEEN}, 'epoch'::timestamptz)`;

const ORDERS = {
  name: {
    shape: ["text", "id"],
    by: sql`lower(p.display_name), p.id`,
    beyond: (value: string | Date, id: string) =>
      sql`(lower(p.display_name), p.id) > (lower(${value}), ${id}::uuid)`,
    of: (row: FriendRow) => encodeCursor(row.name, row.id),
  },
  active: {
    shape: ["time", "id"],
    by: sql`${LAST_SEEN_SORT} desc, p.id desc`,
    beyond: (value: string | Date, id: string) => sql`(${LAST_SEEN_SORT}, p.id) < (${value}, ${id}::uuid)`,
    of: (row: FriendRow) => encodeCursor(row.seenAt ?? new Date(0), row.id),
  },
} as const;

async function listSortedFriends(
  db: Db,
  me: SignedIn,
  { search, sort = "name", after }: FriendsQuery,
): Promise<Page<FriendRow>> {
  const order = ORDERS[sort];
  const cursor = readCursor(after, order.shape);
  const words = prefixQuery(search);
  const rows = await many(
    db,
    sql<FriendRow>`
      select ${personColumns("p")}, f.since, '' as note, ${mutualFriendCount(me)} as "mutualFriends",
        ${isMuted(me)}, ${LAST_SEEN} as "seenAt", null as reason, null as "groupInCommon"
      from (select high_id as id, changed_at as since from friendships
        where low_id = ${me.id} and state = 'friends'
            union all select low_id, changed_at from friendships
              where high_id = ${me.id} and state = 'friends') f
      join people p on p.id = f.id
      where ${IS_PRESENT}
        ${andIfGiven(words, (it) => sql`${nameSearchVector("p")} @@ to_tsquery('simple', ${it})`)}
        ${andIfGiven(cursor, ([value, id]) => order.beyond(value, id))}
      order by ${order.by}
      ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, order.of);
}

/** Search text of a person: name and username by words. The index people_words has the same expression. */
export const nameSearchVector = (person: string) => {
  const p = sql.ref(person);
  return sql`to_tsvector('simple',
  ${p}.display_name || ' ' || translate(${p}.username, '_.-', '   '))`;
};

const isReceived = (viewer: Viewer, friendship: string) => {
  const f = sql.ref(friendship);
  return sql<boolean>`(${f}.state = 'pending' and ${f}.requested_by <> ${viewer.id}::uuid)`;
};
/**
 * Whether the viewer has sent the request. A declined request is shown to its sender as pending for 90 days.
 */
const isSent = (viewer: Viewer, friendship: string) => {
  const f = sql.ref(friendship);
  return sql<boolean>`(${f}.requested_by = ${viewer.id}::uuid
  and (${f}.state = 'pending' or (${f}.state = 'declined' and not ${f}.cancelled
    and ${f}.changed_at > now() - interval '90 days')))`;
};

/**
 * Condition: the friendship `f` is visible to the viewer. Visible are the viewer's confirmed friendships,
 * and requests that they received or still see as sent.
 */
export const isFriendshipVisible = (viewer: Viewer, friendship: string) => {
  const f = sql.ref(friendship);
  return sql<boolean>`
  (${viewer.id}::uuid in (${f}.low_id, ${f}.high_id)
    and (${f}.state = 'friends' or ${isReceived(viewer, friendship)} or ${isSent(viewer, friendship)})
    and exists (select from people p where p.id in (${f}.low_id, ${f}.high_id) and p.id <> ${viewer.id}::uuid
      and ${IS_PRESENT}))`;
};

async function listRequestsByAge(
  db: Db,
  me: SignedIn,
  tab: "received" | "sent",
  after: string | undefined,
): Promise<Page<FriendRow>> {
  const cursor = readCursor(after, ["time", "id"]);
  const those = tab === "received" ? isReceived(me, "f") : isSent(me, "f");
  const rows = await many(
    db,
    sql<FriendRow>`
      select ${personColumns("p")}, f.requested_at as since, f.note,
        ${mutualFriendCount(me)} as "mutualFriends",
        ${isMuted(me)}, null as "seenAt", null as reason, null as "groupInCommon"
      from (select *, high_id as other from friendships where low_id = ${me.id}
            union all select *, low_id from friendships where high_id = ${me.id}) f
      join people p on p.id = f.other
      where ${IS_PRESENT} and ${those} ${andIfGiven(
        cursor,
        ([at, id]) => sql`(f.requested_at, p.id) < (${at},
        ${id}::uuid)`,
      )}
      order by f.requested_at desc, p.id desc
      ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.since, last.id));
}
