import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { encodeCursor, andIfGiven, type Page, toPage, type PersonCard, readCursor } from "#community/common";
import { blockedIds, blockerIds, visiblePersonCard, requireSignedIn } from "#community/friends";
import {
  isDiscussionReadable,
  scheduleDueChecks,
  contentReadableSince,
  viewerMembership,
} from "#community/groups";
import { isSignedIn, LIMITS, SERVER_LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { NewBookmark } from "../discussion-inputs.ts";
import { lockWriter } from "../posts/post-limits.ts";
import { getPost } from "../posts/post-queries.ts";

export type Bookmark = {
  postId: string;
  number: number;
  discussion: { id: string; title: string; language: string };
  author: PersonCard | null;
  excerpt: string;
  note: string;
  createdAt: Date;
  remindAt: Date | null;
  /** The reminder is due and the owner has not opened the post since. */
  due: boolean;
};
const PAGE_SIZE = LIMITS.page.discussions;
const YEAR = 366 * DAY;

/**
 * Bookmarks a post with a note and an optional reminder; replaces both if it is bookmarked already.
 * @throws `not-found` for a post the viewer may not read, `invalid` on `remindAt`, `too-many` above the daily
 * limit
 */
export async function addBookmark(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewBookmark>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const post = await getPost(tx, me, input.postId);
  if (post.stub || !post.discussionId) throw notFound();
  const { remindAt } = input;
  if (remindAt && (remindAt <= tx.now || remindAt > addMilliseconds(tx.now, YEAR)))
    throw invalid("remindAt", "Choose a time within the next year.");
  await lockWriter(tx, me);
  const known = await getOwnBookmark(tx, me, post.id);
  if (!known) await assertBookmarkLimit(tx, me);
  await run(
    tx,
    sql`insert into bookmarks (person_id, post_id, note, remind_at, created_at)
      values (${me.id}, ${post.id}, ${input.note}, ${remindAt ?? null}, ${tx.now})
        on conflict (person_id, post_id) do update set note = excluded.note, remind_at = excluded.remind_at,
          reminded_at = null`,
  );
  if (remindAt) await scheduleDueChecks(tx, remindAt);
  await emit(tx, { type: known ? "bookmark.changed" : "bookmark.added", postId: post.id, personId: me.id });
}

async function assertBookmarkLimit(tx: Tx, me: SignedIn): Promise<void> {
  const { today } = await one(
    tx,
    sql<{
      today: number;
    }>`select count(*)::int as today from bookmarks
      where person_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  if (today >= (me.trust === "new" ? SERVER_LIMITS.bookmarks.newDay : SERVER_LIMITS.bookmarks.day))
    throw new Refusal("too-many", "You have reached today's limit of bookmarks. Come back tomorrow.");
}

export type OwnBookmark = Pick<Bookmark, "note" | "remindAt">;

/** The viewer's bookmark of a post; null without one and for guests. */
export const getOwnBookmark = async (db: Db, viewer: Viewer, postId: string): Promise<OwnBookmark | null> =>
  (await maybeOne(
    db,
    sql<OwnBookmark>`select note, remind_at as "remindAt" from bookmarks
      where person_id = ${viewer.id}::uuid and post_id = ${postId}::uuid`,
  )) ?? null;

/** Removes a bookmark; does nothing if there is no bookmark. */
export async function removeBookmark(tx: Tx, viewer: Viewer, input: { postId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  if (!isId(input.postId)) throw notFound();
  const dropped = await run(
    tx,
    sql`delete from bookmarks where person_id = ${me.id} and post_id = ${input.postId}`,
  );
  if (dropped > 0) await emit(tx, { type: "bookmark.removed", postId: input.postId, personId: me.id });
}

// Selects the viewer's readable bookmarks. Aliases: `b` bookmark, `p` its post, `d` discussion, `g` group.
const readableBookmarks = (viewer: Viewer) => sql`
  from bookmarks b join posts p on p.id = b.post_id and p.state = 'published'
    and p.author_id <> all(${blockerIds(viewer)}) and p.author_id <> all(${blockedIds(viewer)})
  join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
  join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
  join people author on author.id = p.author_id
  where b.person_id = ${viewer.id}::uuid and ${isDiscussionReadable("d", "g", "m")}
    and coalesce(p.created_at >= ${contentReadableSince("d", "g", "m")}, true)`;

const bookmarkColumns = (viewer: Viewer) => sql`
  p.id as "postId", p.number, json_build_object('id', d.id, 'title', d.title, 'language', d.language) as discussion,
  ${visiblePersonCard(viewer, "author")} as author,
  left(p.body_html, 1000) as html, b.note, b.created_at as "createdAt", b.remind_at as "remindAt",
    b.reminded_at is not null as due`;

type BookmarkRow = Omit<Bookmark, "excerpt"> & { html: string };
const toBookmark = ({ html, ...row }: BookmarkRow): Bookmark => ({
  ...row,
  excerpt: createExcerpt(html, 160),
});

/** The viewer's bookmarks of posts they may still read, newest first. Empty for guests. */
export async function listBookmarks(
  db: Db,
  viewer: Viewer,
  query: { after?: string },
): Promise<Page<Bookmark>> {
  if (!isSignedIn(viewer)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<BookmarkRow>`
      select ${bookmarkColumns(viewer)} ${readableBookmarks(viewer)}
        ${andIfGiven(cursor, ([at, id]) => sql`(b.created_at, b.post_id) < (${at}, ${id}::uuid)`)}
      order by b.created_at desc, b.post_id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows.map(toBookmark), PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.postId));
}

/** Clears due reminders of posts up to the number `upTo`, the end of the page that the viewer has opened. */
export async function clearDueBookmarks(
  tx: Tx,
  viewer: Viewer,
  input: { discussionId: string; upTo: number },
): Promise<void> {
  const me = requireSignedIn(viewer);
  if (!isId(input.discussionId)) throw notFound();
  await run(
    tx,
    sql`update bookmarks b set remind_at = null, reminded_at = null from posts p
        where b.person_id = ${me.id} and b.reminded_at is not null and p.id = b.post_id
          and p.discussion_id = ${input.discussionId}
          and ${input.upTo}::float8 - p.number between 0 and ${LIMITS.page.posts - 1}::int`,
  );
}

const MAX_DUE = 5;

/** At most five due bookmarks, those due longest first. */
export async function listDueBookmarks(db: Db, viewer: Viewer): Promise<Bookmark[]> {
  if (!isSignedIn(viewer)) return [];
  const rows = await many(
    db,
    sql<BookmarkRow>`select ${bookmarkColumns(viewer)} ${readableBookmarks(viewer)}
      and b.reminded_at is not null order by b.reminded_at, b.post_id ${limit(MAX_DUE)}`,
  );
  return rows.map(toBookmark);
}

const BATCH_SIZE = 200;

/** For jobs: marks due reminders and emits one event each. Returns how many. */
export async function sendBookmarkReminders(tx: Tx): Promise<number> {
  const due = await many(
    tx,
    sql<{ personId: string; postId: string }>`
      update bookmarks set reminded_at = ${tx.now} where (person_id, post_id) in (
        select person_id, post_id from bookmarks where remind_at <= ${tx.now} and reminded_at is null
        order by remind_at ${limit(BATCH_SIZE)} for update skip locked)
      returning person_id as "personId", post_id as "postId"`,
  );
  for (const it of due) await emit(tx, { type: "bookmark.due", ...it });
  return due.length;
}
