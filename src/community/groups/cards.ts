import { type Db, limit, many, sql } from "#platform/database";
import { cursorOf, given, type Page, pageOf, prefixQuery, readCursor } from "#community/common";
import { friendIds } from "#community/friends";
import { type GroupFacts, isSignedIn, LIMITS, type Viewer } from "#community/rules";
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
  lastActiveAt: Date;
  /** Discussions with something new for the viewer; counted in their own groups only, 100 at most. */
  unread: number;
  /** Friends of the viewer among the members, where the viewer may know the members. */
  friendsInside: number;
  /** For a viewer who was declined: from when on they may ask again. */
  askAgainAt: Date | null;
};
export type GroupsQuery = { tab: "mine" | "discover" | "waiting"; search?: string; topic?: string; after?: string };

/** The viewer's groups, those to discover, or those that wait for an answer; the latest active first. */
export async function groupsFor(db: Db, viewer: Viewer, query: GroupsQuery): Promise<Page<GroupCard>> {
  if (query.tab !== "discover" && !isSignedIn(viewer)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const words = prefixQuery(query.search);
  const rows = await many(
    db,
    sql<GroupCard>`
      select ${cardColumns(viewer)}
      from groups g ${viewersTie(viewer)}
      where ${groupVisible} and ${inTab(query.tab, viewer)}
        ${given(words, (it) => sql`g.id = any(${groupsWith(it)})`)}
        ${given(query.topic, (topic) => sql`g.topic = ${topic}`)}
        ${given(cursor, ([at, id]) => sql`(g.last_active_at, g.id) < (${at}, ${id}::uuid)`)}
      order by g.last_active_at desc, g.id desc
      ${limit(LIMITS.page.cards + 1)}`,
  );
  return pageOf(rows, LIMITS.page.cards, (last) => cursorOf(last.lastActiveAt, last.id));
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
  return sql`(g.state = 'active' and m.state is distinct from 'member' and m.state is distinct from 'banned' and ${offered})`;
}

/** The columns of a `GroupCard`. */
export const cardColumns = (viewer: Viewer) => sql`
  g.id, g.slug, g.name, g.purpose, g.topic, g.header_style as "headerStyle", g.header_id as "headerId",
  g.members_count as "membersCount", g.last_active_at as "lastActiveAt", ${groupFactsColumns}, ${askAgainAt} as "askAgainAt",
  case when m.state = 'member' then ${unreadIn(viewer)} else 0 end as unread,
  case when ${groupReadable} then ${friendsIn(viewer)} else 0 end as "friendsInside"`;

const friendsIn = (viewer: Viewer) => sql`
  (select count(*)::int from memberships f where f.group_id = g.id and f.state = 'member' and f.person_id = any(array(${friendIds(sql`${viewer.id}::uuid`)})))`;

const unreadIn = (viewer: Viewer) => sql`
  (select count(*)::int
   from ${latestIn} d
   ${viewersReading(viewer)}
   where ${somethingNew})`;
