import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, sql } from "#platform/database";
import { encodeCursor, andIfGiven, type Page, toPage, prefixQuery, readCursor } from "#community/common";
import { isSignedIn, type JoinPolicy, LIMITS, type Viewer } from "#community/rules";
import { type GroupCard, groupCardColumns, isGroupVisible, viewerMembership } from "./group-columns.ts";
import { type GroupOrder, createGroupOrder } from "./group-orders.ts";

export type GroupsQuery = {
  tab: "mine" | "discover" | "waiting";
  search?: string;
  topic?: string;
  /** Only groups with this join policy. */
  joinPolicy?: JoinPolicy;
  /** Only groups that were active within this period before `now`. */
  active?: { within: keyof typeof ACTIVITY_SPANS; now: Date };
  /**
   * Order of the list; the default is latest activity first. The viewer's own groups always have pinned ones
   * first, then the latest active.
   */
  sort?: GroupOrder;
  after?: string;
};

const ACTIVITY_SPANS = { week: 7 * DAY, month: 30 * DAY };

/** Groups of one tab: the viewer's own, those to discover, or those with a pending request or invitation. */
export async function listGroups(db: Db, viewer: Viewer, query: GroupsQuery): Promise<Page<GroupCard>> {
  if (query.tab !== "discover" && !isSignedIn(viewer)) return { rows: [], next: null };
  const order = createGroupOrder(query.tab === "mine" ? "own" : (query.sort ?? "active"));
  const cursor = readCursor(query.after, order.shape);
  const rows = await many(
    db,
    sql<GroupCard>`
      select ${groupCardColumns(viewer, "g", "m")}
      from groups g ${viewerMembership(viewer, "g", "m")}
      where ${isGroupVisible("g", "m")} and ${tabCondition(query.tab, viewer)} ${filterConditions(query)}
        ${andIfGiven(cursor, order.beyond)}
      order by ${order.by}
      ${limit(LIMITS.page.cards + 1)}`,
  );
  return toPage(rows, LIMITS.page.cards, (last) => encodeCursor(...order.placeOf(last)));
}

/** A topic and the number of groups about it. */
type GroupTopic = { topic: string; count: number };

/**
 * Topics of groups to discover, most frequent first: at most 20, from the 500 groups that were active last.
 * Upper and lower case count as one topic.
 */
export const listDiscoverableTopics = (db: Db, viewer: Viewer): Promise<GroupTopic[]> =>
  many(
    db,
    sql<GroupTopic>`
      select min(topic) as topic, count(*)::int as count from (
        select g.topic from groups g ${viewerMembership(viewer, "g", "m")}
        where ${isGroupVisible("g", "m")} and ${tabCondition("discover", viewer)}
        order by g.last_active_at desc, g.id ${limit(500)}) it
      where topic <> '' group by lower(topic) order by count desc, lower(topic) ${limit(20)}`,
  );

function filterConditions({ search, topic, joinPolicy, active }: GroupsQuery) {
  return sql`
    ${andIfGiven(prefixQuery(search), (words) => sql`g.id = any(${groupIdsMatching(words)})`)}
    ${andIfGiven(topic, (it) => sql`lower(g.topic) = lower(${it})`)}
    ${andIfGiven(joinPolicy, (it) => sql`g.join_policy = ${it}`)}
    ${andIfGiven(
      active,
      ({ within, now }) => sql`g.last_active_at
      > ${addMilliseconds(now, -ACTIVITY_SPANS[within])}`,
    )}`;
}

/**
 * Ids of groups with these words. The index groups_words has the same expression. The result is an array,
 * because otherwise PostgreSQL scans groups in result order for a rare word.
 */
export const groupIdsMatching = (words: string) =>
  sql`array(select id from groups
    where to_tsvector('simple', name || ' ' || purpose) @@ to_tsquery('simple', ${words}) limit 5000)`;

function tabCondition(tab: GroupsQuery["tab"], viewer: Viewer) {
  if (tab === "mine") return sql`m.state = 'member'`;
  if (tab === "waiting") return sql`m.state in ('invited', 'requested')`;
  // Guests discover only public groups. They find other groups by address.
  const offered = isSignedIn(viewer) ? sql`true` : sql`g.visibility = 'public'`;
  return sql`(g.state = 'active' and g.id <> all(${undiscoverableGroupIds(viewer)}) and ${offered})`;
}

/**
 * Ids of groups that the viewer has joined or is banned from. The result is an array, because PostgreSQL
 * otherwise misjudges the selectivity of the membership state and scans all groups for one page.
 */
const undiscoverableGroupIds = (viewer: Viewer) =>
  sql`array(select group_id from memberships
    where person_id = ${viewer.id}::uuid and state in ('member', 'banned'))`;
