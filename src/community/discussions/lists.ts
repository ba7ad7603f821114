import { type Db, limit, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { cursorOf, given, type Page, pageOf, readCursor } from "#community/common";
import { blockedOf, blockersOf } from "#community/friends";
import { discussionReadable, latestIn, readsFrom, somethingNew, viewersReading, viewersTie } from "#community/groups";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";
import { restorableUntil } from "./putting-away.ts";
import { type DiscussionRow, isPinned, rowsOf } from "./rows.ts";
import { placeIn, unreadFirst } from "./unread-first.ts";

type Sql = ReturnType<typeof sql>;
type GroupRef = GroupFacts & { id: string };
export type DiscussionsQuery = {
  after?: string;
  filter?: { tag: string } | "unanswered" | "mine" | "archived" | "deleted";
  sort?: "activity" | "new" | "top";
};
export type DiscussionsPage = Page<DiscussionRow & Partial<Deleted>> & {
  /** At most three; on the first page of the unfiltered list, and not again among its rows. */
  pinned: DiscussionRow[];
};
const SIZE = LIMITS.page.discussions;

/** Until when it can be brought back. */
type Deleted = { restorableUntil: Date };

/**
 * The discussions of a group; by activity and all of them, what a member has not read comes before the rest (product.md 3.11). `not-found` for who may
 * not read it, and for deleted ones where the viewer could not bring them back. Archived and deleted ones come by their last post, whatever `sort` says.
 */
export async function discussionsOf(db: Db, viewer: Viewer, group: GroupRef, query: DiscussionsQuery): Promise<DiscussionsPage> {
  if (!groupRules.read(viewer, group)) throw notFound();
  if (query.filter === "archived" || query.filter === "deleted") return putAwayIn(db, viewer, group, query.filter, query.after);
  if (viewer.id !== null && !query.filter && (query.sort ?? "activity") === "activity") {
    const place = placeIn(query.after);
    return { ...(await unreadFirst(db, viewer, group.id, place)), pinned: place ? [] : await pinnedIn(db, viewer, group) };
  }
  const order = ORDERS[query.sort ?? "activity"];
  const cursor = readCursor(query.after, [order.kind, "id"]);
  const rows = await rowsOf<Placed>(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
        where d.group_id = ${group.id} and d.state = 'open' and ${discussionReadable} ${filtered(viewer, query.filter)}
          ${given(cursor, ([value, id]) => sql`(${order.by}, d.id) < (${value}, ${id}::uuid)`)}
        order by ${order.by} desc, d.id desc ${limit(SIZE + 1)}`,
    sql`${order.by} desc, d.id desc`,
    { columns: sql`, d.posts_count as "postsCount"`, joins: sql`` },
  );
  const pinned = cursor || query.filter ? [] : await pinnedIn(db, viewer, group);
  const page = pageOf(rows, SIZE, (last) => cursorOf(order.of(last), last.id));
  return { ...page, rows: page.rows.map(({ postsCount: _, ...row }) => row), pinned };
}

async function putAwayIn(
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
  const rows = await rowsOf<Partial<Deleted>>(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
        where d.group_id = ${group.id} and d.state <> 'open' and d.state = ${state} and ${discussionReadable}
          ${given(cursor, ([value, id]) => sql`(d.last_post_at, d.id) < (${value}, ${id}::uuid)`)}
        order by ${order} ${limit(SIZE + 1)}`,
    order,
    { columns: deleted ? sql`, ${restorableUntil} as "restorableUntil"` : sql``, joins: sql`` },
  );
  return { ...pageOf(rows, SIZE, (last) => cursorOf(last.lastPostAt, last.id)), pinned: [] };
}

/** All posts: those that the viewer reads, `replies`, may be fewer, and say nothing of its place. */
type Placed = { postsCount: number };
const ORDERS = {
  activity: { by: sql`d.last_post_at`, kind: "time", of: (row: DiscussionRow) => row.lastPostAt },
  new: { by: sql`d.created_at`, kind: "time", of: (row: DiscussionRow) => row.createdAt },
  top: { by: sql`d.posts_count`, kind: "number", of: (row: DiscussionRow & Placed) => row.postsCount },
} as const;

function filtered(viewer: Viewer, filter: Exclude<DiscussionsQuery["filter"], "archived" | "deleted">) {
  if (filter === undefined) return sql`and not ${isPinned}`;
  if (filter === "unanswered") return sql`and d.posts_count = 1`;
  if (filter === "mine") return sql`and d.author_id = ${viewer.id}::uuid`;
  return sql`and ${filter.tag} = any(d.tags)`;
}

const pinnedIn = (db: Db, viewer: Viewer, group: GroupRef) =>
  rowsOf(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
    where d.group_id = ${group.id} and d.state = 'open' and ${isPinned} and ${discussionReadable}
    order by d.pinned_at desc limit 3`,
    sql`d.pinned_at desc`,
  );

/** Everything the viewer may read, by last post. */
export async function latestDiscussions(db: Db, viewer: Viewer, query: { after?: string }): Promise<Page<DiscussionRow>> {
  return asPage(await rowsOf(db, viewer, latest(viewer, sql`d.*`, query.after), sql`d.last_post_at desc, d.id desc`));
}

/** `what` of the latest that the viewer reads, of one page and the one beyond. */
function latest(viewer: Viewer, what: Sql, after?: string) {
  const cursor = readCursor(after, ["time", "id"]);
  return sql`
    select ${what} from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
    where d.state = 'open' and ${discussionReadable} ${given(cursor, ([at, id]) => sql`(d.last_post_at, d.id) < (${at}, ${id}::uuid)`)}
    order by d.last_post_at desc, d.id desc ${limit(SIZE + 1)}`;
}

/** A page of such rows, of which there may be one too many: it says that there are more. */
export const asPage = <Row extends DiscussionRow>(rows: Row[]): Page<Row> =>
  pageOf(rows, SIZE, (last) => cursorOf(last.lastPostAt, last.id));

export type ToCatchUp = DiscussionRow & { followed: boolean };
/** So many at a time. */
export const TO_CATCH_UP = 10;

/**
 * A member's home, and the list beside it, in one question: what to catch up with (followed ones first, then what is new
 * in their groups; ten at most, none for guests), and everything they may read, by last post.
 */
export async function unreadAndLatest(db: Db, viewer: Viewer): Promise<{ unread: ToCatchUp[]; latest: Page<DiscussionRow> }> {
  const rows = await rowsOf<{ toCatchUp: boolean; followed: boolean }>(
    db,
    viewer,
    sql`select d.*, u.followed, u.unread from (
          select id, followed, true as unread from (${toCatchUp(viewer, TO_CATCH_UP)}) unread
          union all select id, false, false from (${latest(viewer, sql`d.id`)}) latest) u
        join discussions d on d.id = u.id`,
    sql`d.followed desc, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.unread as "toCatchUp", d.followed`, joins: sql`` },
  );
  const listed = (wanted: boolean) => rows.filter((row) => row.toCatchUp === wanted).map(({ toCatchUp: _, ...row }) => row);
  return { unread: listed(true), latest: asPage(listed(false)) };
}

/** The same first part, of so many. */
export const unreadRows = (db: Db, viewer: Viewer, most: number) =>
  rowsOf<{ followed: boolean }>(
    db,
    viewer,
    sql`select d.*, u.followed from (${toCatchUp(viewer, most)}) u join discussions d on d.id = u.id`,
    sql`d.followed desc, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.followed`, joins: sql`` },
  );

const toCatchUp = (viewer: Viewer, most: number) => sql`
  select d.id, d.followed ${unreadOf(viewer)}
  order by followed desc, d.last_post_at desc, d.id desc ${limit(most)}`;

/**
 * `from … where …` of the discussions `d` that are unread: in the viewer's own groups, and what they have chosen to follow where they are no
 * member. Of each its `id`, `group_id`, `last_post_at` and whether it is `followed`. Groups of theirs that `besides` names, an array of ids, are not looked at.
 */
export const unreadOf = (viewer: Viewer, besides?: Sql) => sql`
  from (
    select d.id, d.group_id, d.last_post_at, coalesce(rs.level, 'normal') in ('watching', 'tracking') as followed
    ${unreadInGroups(viewer)} ${besides ? sql`and m.group_id <> all(${besides})` : sql``}
    union all
    select d.id, d.group_id, d.last_post_at, true ${followedElsewhere(viewer)}) d
  where true`;

/**
 * Begun with what somebody has chosen themselves, which is little: whoever has left a group has not chosen what they came to follow there by
 * reading. One discussion at a time, since PostgreSQL took the groups to be few, and went through all of theirs.
 */
const followedElsewhere = (viewer: Viewer) => sql`
  from (
    select discussion_id, last_read_number, level from read_states
    where person_id = ${viewer.id}::uuid and level in ('watching', 'tracking') and level_chosen offset 0) rs
  cross join lateral (select * from discussions where id = rs.discussion_id and state = 'open' limit 1) d
  join groups g on g.id = d.group_id ${viewersTie(viewer)}
  where ${somethingNew} and m.state is distinct from 'member' and ${discussionReadable}`;

/** The same in the viewer's own groups alone, among each group's latest discussions; `rs` is what they have read. */
export const unreadInGroups = (viewer: Viewer) => sql`
  from memberships m
  join groups g on g.id = m.group_id and g.state <> 'deleted'
  cross join lateral ${latestIn} d
  ${viewersReading(viewer)}
  where m.person_id = ${viewer.id}::uuid and m.state = 'member' and m.notify_level <> 'mute' and ${somethingNew}`;

/** Joins how each begins, where the viewer reads that. */
export const beginnings = (viewer: Viewer) => ({
  columns: sql`, left(first.body_html, 2000) as beginning`,
  joins: sql`left join posts first on first.discussion_id = d.id and first.number = 1 and first.state = 'published'
    and first.author_id <> all(${blockersOf(viewer)}) and first.author_id <> all(${blockedOf(viewer)}) and coalesce(first.created_at >= ${readsFrom("d")}, true)`,
});
