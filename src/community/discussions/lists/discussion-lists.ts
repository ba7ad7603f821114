import { type Db, limit, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import { blockedIds, blockerIds } from "#community/friends";
import {
  isDiscussionReadable,
  latestGroupDiscussions,
  contentReadableSince,
  isDiscussionUnread,
  viewerReadPositions,
  viewerMembership,
} from "#community/groups";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";
import { restorableUntil } from "../moderation/archive-and-delete.ts";
import { listDiscussionRows } from "./discussion-row-queries.ts";
import { type DiscussionRow, isPinned } from "../discussion-columns.ts";
import { readUnreadCursor, listUnreadFirst } from "./unread-first.ts";

type Sql = ReturnType<typeof sql>;
type GroupRef = GroupFacts & { id: string };
export type DiscussionsQuery = {
  after?: string;
  filter?: { tag: string } | "unanswered" | "mine" | "archived" | "deleted";
  sort?: "activity" | "new" | "top";
};
export type DiscussionsPage = Page<DiscussionRow & Partial<DeletedInfo>> & {
  /** At most three; only on the first page of the unfiltered list, and not repeated in its rows. */
  pinned: DiscussionRow[];
};
const PAGE_SIZE = LIMITS.page.discussions;

type DeletedInfo = { restorableUntil: Date };

/**
 * Discussions of a group. Sorted by activity and without a filter, a member's unread ones are first
 * (product.md 3.11). Archived and deleted discussions are always ordered by last post.
 * @throws `not-found` if the viewer may not read the group, and for deleted ones if they cannot restore them
 */
export async function listDiscussions(
  db: Db,
  viewer: Viewer,
  group: GroupRef,
  query: DiscussionsQuery,
): Promise<DiscussionsPage> {
  if (!groupRules.read(viewer, group)) throw notFound();
  if (query.filter === "archived" || query.filter === "deleted")
    return listInactive(db, viewer, group, query.filter, query.after);
  if (viewer.id !== null && !query.filter && (query.sort ?? "activity") === "activity") {
    const place = readUnreadCursor(query.after);
    return {
      ...(await listUnreadFirst(db, viewer, group.id, place)),
      pinned: place ? [] : await listPinned(db, viewer, group),
    };
  }
  const order = ORDERS[query.sort ?? "activity"];
  const cursor = readCursor(query.after, [order.kind, "id"]);
  const rows = await listDiscussionRows<PostCount>(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
        where d.group_id = ${group.id} and d.state = 'open'
          and ${isDiscussionReadable("d", "g", "m")} ${filterCondition(viewer, query.filter)}
          ${andIfGiven(cursor, ([value, id]) => sql`(${order.by}, d.id) < (${value}, ${id}::uuid)`)}
        order by ${order.by} desc, d.id desc ${limit(PAGE_SIZE + 1)}`,
    sql`${order.by} desc, d.id desc`,
    { columns: sql`, d.posts_count as "postsCount"`, joins: sql`` },
  );
  const pinned = cursor || query.filter ? [] : await listPinned(db, viewer, group);
  const page = toPage(rows, PAGE_SIZE, (last) => encodeCursor(order.of(last), last.id));
  return { ...page, rows: page.rows.map(({ postsCount: _, ...row }) => row), pinned };
}

async function listInactive(
  db: Db,
  viewer: Viewer,
  group: GroupRef,
  state: "archived" | "deleted",
  after: string | undefined,
): Promise<DiscussionsPage> {
  const deleted = state === "deleted";
  if (deleted && !groupRules.moderate(viewer, group)) throw notFound();
  const cursor = readCursor(after, ["time", "id"]);
  const order = sql`d.last_post_at desc, d.id desc`;
  const rows = await listDiscussionRows<Partial<DeletedInfo>>(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
        where d.group_id = ${group.id} and d.state <> 'open' and d.state = ${state}
          and ${isDiscussionReadable("d", "g", "m")}
          ${andIfGiven(cursor, ([value, id]) => sql`(d.last_post_at, d.id) < (${value}, ${id}::uuid)`)}
        order by ${order} ${limit(PAGE_SIZE + 1)}`,
    order,
    { columns: deleted ? sql`, ${restorableUntil("d")} as "restorableUntil"` : sql``, joins: sql`` },
  );
  return { ...toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.lastPostAt, last.id)), pinned: [] };
}

/** Number of all posts, the sort key. `replies` counts only replies that the viewer can read. */
type PostCount = { postsCount: number };
const ORDERS = {
  activity: { by: sql`d.last_post_at`, kind: "time", of: (row: DiscussionRow) => row.lastPostAt },
  new: { by: sql`d.created_at`, kind: "time", of: (row: DiscussionRow) => row.createdAt },
  top: { by: sql`d.posts_count`, kind: "number", of: (row: DiscussionRow & PostCount) => row.postsCount },
} as const;

function filterCondition(
  viewer: Viewer,
  filter: Exclude<DiscussionsQuery["filter"], "archived" | "deleted">,
) {
  if (filter === undefined) return sql`and not ${isPinned("d")}`;
  if (filter === "unanswered") return sql`and d.posts_count = 1`;
  if (filter === "mine") return sql`and d.author_id = ${viewer.id}::uuid`;
  return sql`and ${filter.tag} = any(d.tags)`;
}

const listPinned = (db: Db, viewer: Viewer, group: GroupRef) =>
  listDiscussionRows(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
    where d.group_id = ${group.id} and d.state = 'open' and ${isPinned("d")}
      and ${isDiscussionReadable("d", "g", "m")}
    order by d.pinned_at desc limit 3`,
    sql`d.pinned_at desc`,
  );

/** All discussions the viewer may read, by last post. */
export async function listLatestDiscussions(
  db: Db,
  viewer: Viewer,
  query: { after?: string },
): Promise<Page<DiscussionRow>> {
  return discussionPage(
    await listDiscussionRows(
      db,
      viewer,
      listLatest(viewer, sql`d.*`, query.after),
      sql`d.last_post_at desc, d.id desc`,
    ),
  );
}

/** Selects `what` from the latest readable discussions, one row more than a page. */
function listLatest(viewer: Viewer, what: Sql, after?: string) {
  const cursor = readCursor(after, ["time", "id"]);
  return sql`
    select ${what} from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
    where d.state = 'open' and ${isDiscussionReadable("d", "g", "m")} ${andIfGiven(
      cursor,
      ([at, id]) => sql`(d.last_post_at,
      d.id) < (${at}, ${id}::uuid)`,
    )}
    order by d.last_post_at desc, d.id desc ${limit(PAGE_SIZE + 1)}`;
}

/** Builds a page. The query selects one row more than a page, which shows that there is a next page. */
export const discussionPage = <Row extends DiscussionRow>(rows: Row[]): Page<Row> =>
  toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.lastPostAt, last.id));

export type UnreadRow = DiscussionRow & { followed: boolean };
export const MAX_UNREAD_ROWS = 10;

/**
 * Lists of a member's home page and sidebar in one query: at most ten unread discussions (followed ones
 * first, then new ones in their groups; none for guests), and all readable discussions by last post.
 */
export async function listUnreadAndLatest(
  db: Db,
  viewer: Viewer,
): Promise<{ unread: UnreadRow[]; latest: Page<DiscussionRow> }> {
  const rows = await listDiscussionRows<{ toCatchUp: boolean; followed: boolean }>(
    db,
    viewer,
    sql`select d.*, u.followed, u.unread from (
          select id, followed, true as unread from (${selectUnread(viewer, MAX_UNREAD_ROWS)}) unread
          union all select id, false, false from (${listLatest(viewer, sql`d.id`)}) latest) u
        join discussions d on d.id = u.id`,
    sql`d.followed desc, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.unread as "toCatchUp", d.followed`, joins: sql`` },
  );
  const listed = (wanted: boolean) =>
    rows.filter((row) => row.toCatchUp === wanted).map(({ toCatchUp: _, ...row }) => row);
  return { unread: listed(true), latest: discussionPage(listed(false)) };
}

/** Only the unread rows of `listUnreadAndLatest`, up to a given number. */
export const listUnreadRows = (db: Db, viewer: Viewer, most: number) =>
  listDiscussionRows<{ followed: boolean }>(
    db,
    viewer,
    sql`select d.*, u.followed from (${selectUnread(viewer, most)}) u join discussions d on d.id = u.id`,
    sql`d.followed desc, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.followed`, joins: sql`` },
  );

const selectUnread = (viewer: Viewer, most: number) => sql`
  select d.id, d.followed ${unreadDiscussionRows(viewer)}
  order by followed desc, d.last_post_at desc, d.id desc ${limit(most)}`;

/**
 * SQL `from … where …` of unread discussions `d`: those in the viewer's groups, and those elsewhere that the
 * viewer chose to follow. Columns `id`, `group_id`, `last_post_at`, `followed`. `besides` is an array of
 * group ids to skip.
 */
export const unreadDiscussionRows = (viewer: Viewer, besides?: Sql) => sql`
  from (
    select d.id, d.group_id, d.last_post_at,
      coalesce(rs.level, 'normal') in ('watching', 'tracking') as followed
    ${unreadInGroups(viewer)} ${besides ? sql`and m.group_id <> all(${besides})` : sql``}
    union all
    select d.id, d.group_id, d.last_post_at, true ${followedOutsideGroups(viewer)}) d
  where true`;

/**
 * Unread followed discussions of other groups. The query starts from chosen follow levels, which are few; a
 * level that was set by reading does not count after leaving a group. Discussions are looked up one by one,
 * because PostgreSQL underestimated the groups and scanned all their discussions.
 */
const followedOutsideGroups = (viewer: Viewer) => sql`
  from (
    select discussion_id, last_read_number, level from read_positions
    where person_id = ${viewer.id}::uuid and level in ('watching', 'tracking') and level_chosen offset 0) rs
  cross join lateral (select * from discussions where id = rs.discussion_id and state = 'open' limit 1) d
  join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
  where ${isDiscussionUnread("d", "rs")} and m.state is distinct from 'member'
    and ${isDiscussionReadable("d", "g", "m")}`;

/**
 * SQL `from … where …` of unread discussions in the viewer's groups, among each group's latest; `rs` is the
 * read position.
 */
export const unreadInGroups = (viewer: Viewer) => sql`
  from memberships m
  join groups g on g.id = m.group_id and g.state <> 'deleted'
  cross join lateral ${latestGroupDiscussions("g", "m")} d
  ${viewerReadPositions(viewer, "d", "rs")}
  where m.person_id = ${viewer.id}::uuid and m.state = 'member' and m.notify_level <> 'mute'
    and ${isDiscussionUnread("d", "rs")}`;

/** Columns and joins for the beginning of the first post, if the viewer can read it. */
export const firstPostExcerpts = (viewer: Viewer) => ({
  columns: sql`, left(first.body_html, 2000) as beginning`,
  joins: sql`left join posts first on first.discussion_id = d.id and first.number = 1
    and first.state = 'published'
    and first.author_id <> all(${blockerIds(viewer)}) and first.author_id <> all(${blockedIds(viewer)})
    and coalesce(first.created_at >= ${contentReadableSince("d", "g", "m")}, true)`,
});
