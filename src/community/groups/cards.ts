import { DAY, later } from "#platform/clock";
import { type Db, limit, many, sql } from "#platform/database";
import { cursorOf, given, type Page, pageOf, prefixQuery, readCursor } from "#community/common";
import { friendIds } from "#community/friends";
import { type GroupFacts, isSignedIn, type JoinPolicy, LIMITS, type Viewer } from "#community/rules";
import { type GroupOrder, inOrder } from "./orders.ts";
import { askAgainAt, groupFactsColumns, groupReadable, groupVisible, latestIn, somethingNew, viewersReading, viewersTie } from "./sight.ts";

/** A group as its card shows it; enough for `groupRules` too. */
export type GroupCard = GroupFacts & {
  id: string;
  slug: string;
  name: string;
  purpose: string;
  topic: string;
  headerStyle: string;
  headerId: string | null;
  membersCount: number;
  createdAt: Date;
  lastActiveAt: Date;
  /** Discussions with something new for the viewer; counted in their own groups only, 100 at most. */
  unread: number;
  /** The viewer keeps it on top of their own; or wants to hear nothing of it. */
  pinned: boolean;
  muted: boolean;
  /** Friends of the viewer among the members, where the viewer may know the members. */
  friendsInside: number;
  /** For a viewer who was declined: from when on they may ask again. */
  askAgainAt: Date | null;
};
export type GroupsQuery = {
  tab: "mine" | "discover" | "waiting";
  search?: string;
  topic?: string;
  /** How one joins. */
  door?: JoinPolicy;
  /** Only those with something new since then. */
  active?: { within: keyof typeof SPANS; now: Date };
  /** The latest active first, where nothing else is said. One's own are not asked: those that are pinned, then the latest active. */
  sort?: GroupOrder;
  after?: string;
};

const SPANS = { week: 7 * DAY, month: 30 * DAY };

/** The viewer's groups, those to discover, or those that wait for an answer. */
export async function groupsFor(db: Db, viewer: Viewer, query: GroupsQuery): Promise<Page<GroupCard>> {
  if (query.tab !== "discover" && !isSignedIn(viewer)) return { rows: [], next: null };
  const order = inOrder(query.tab === "mine" ? "own" : (query.sort ?? "active"));
  const cursor = readCursor(query.after, order.shape);
  const rows = await many(
    db,
    sql<GroupCard>`
      select ${cardColumns(viewer)}
      from groups g ${viewersTie(viewer)}
      where ${groupVisible} and ${inTab(query.tab, viewer)} ${narrowed(query)}
        ${given(cursor, order.beyond)}
      order by ${order.by}
      ${limit(LIMITS.page.cards + 1)}`,
  );
  return pageOf(rows, LIMITS.page.cards, (last) => cursorOf(...order.placeOf(last)));
}

/** A topic that groups are about, and how many of them. */
type GroupTopic = { topic: string; count: number };

/** The topics of the groups to discover, what most are about first: 20 at most, of the 500 that were active last. Who writes it otherwise means the same. */
export const topicsToDiscover = (db: Db, viewer: Viewer): Promise<GroupTopic[]> =>
  many(
    db,
    sql<GroupTopic>`
      select min(topic) as topic, count(*)::int as count from (
        select g.topic from groups g ${viewersTie(viewer)} where ${groupVisible} and ${inTab("discover", viewer)}
        order by g.last_active_at desc, g.id ${limit(500)}) it
      where topic <> '' group by lower(topic) order by count desc, lower(topic) ${limit(20)}`,
  );

function narrowed({ search, topic, door, active }: GroupsQuery) {
  return sql`
    ${given(prefixQuery(search), (words) => sql`g.id = any(${groupsWith(words)})`)}
    ${given(topic, (it) => sql`lower(g.topic) = lower(${it})`)}
    ${given(door, (it) => sql`g.join_policy = ${it}`)}
    ${given(active, ({ within, now }) => sql`g.last_active_at > ${later(now, -SPANS[within])}`)}`;
}

/**
 * The ids of groups with these words, from the index groups_words, which has the same expression. As a list, because
 * otherwise a rare word is looked for along the order of the result, through everything.
 */
export const groupsWith = (words: string) =>
  sql`array(select id from groups where to_tsvector('simple', name || ' ' || purpose) @@ to_tsquery('simple', ${words}) limit 5000)`;

function inTab(tab: GroupsQuery["tab"], viewer: Viewer) {
  if (tab === "mine") return sql`m.state = 'member'`;
  if (tab === "waiting") return sql`m.state in ('invited', 'requested')`;
  // Guests are offered what they could read; the rest they find by its address.
  const offered = isSignedIn(viewer) ? sql`true` : sql`g.visibility = 'public'`;
  return sql`(g.state = 'active' and g.id <> all(${notOffered(viewer)}) and ${offered})`;
}

/**
 * Groups that are no discovery: the viewer is in them or kept out of them. As a list, because PostgreSQL takes the state of the viewer's tie
 * for that of any membership, finds that hardly a group is left, and then looks at all of them for one page.
 */
const notOffered = (viewer: Viewer) =>
  sql`array(select group_id from memberships where person_id = ${viewer.id}::uuid and state in ('member', 'banned'))`;

/** The columns of a `GroupCard`. */
export const cardColumns = (viewer: Viewer) => sql`
  g.id, g.slug, g.name, g.purpose, g.topic, g.header_style as "headerStyle", g.header_id as "headerId",
  g.members_count as "membersCount", g.created_at as "createdAt", g.last_active_at as "lastActiveAt", ${groupFactsColumns}, ${askAgainAt} as "askAgainAt",
  case when m.state = 'member' then ${unreadIn(viewer)} else 0 end as unread,
  coalesce(m.state = 'member' and m.pinned_at is not null, false) as pinned, coalesce(m.state = 'member' and m.notify_level = 'mute', false) as muted,
  case when ${groupReadable} then ${friendsIn(viewer)} else 0 end as "friendsInside"`;

const friendsIn = (viewer: Viewer) => sql`
  (select count(*)::int from memberships f where f.group_id = g.id and f.state = 'member' and f.person_id = any(array(${friendIds(sql`${viewer.id}::uuid`)})))`;

/** How many of the latest discussions of the group `g`, where the viewer is a member by `m`, have something new for them. */
export const unreadIn = (viewer: Viewer) => sql`
  (select count(*)::int
   from ${latestIn} d
   ${viewersReading(viewer)}
   where ${somethingNew})`;
