import { type Db, many, maybeOne, one, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { isSignedIn, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { type ConversationRow, type InboxRow, selectInboxRows } from "./conversation-columns.ts";

export type InboxTab = "all" | "unread" | "groups" | "requests" | "archived";

/**
 * The viewer's conversations with their last message, latest first, in one query.
 * @throws `not-signed-in`
 */
export async function listConversations(
  db: Db,
  viewer: Viewer,
  query: { tab: InboxTab; after?: string },
): Promise<Page<ConversationRow>> {
  const me = requireSignedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    selectInboxRows(
      me,
      sql`${TABS[query.tab]} ${andIfGiven(
        cursor,
        ([at, id]) => sql`(p.last_message_at, p.conversation_id) < (${at}, ${id}::uuid)`,
      )}`,
      LIMITS.page.cards + 1,
    ),
  );
  return toPage(rows.map(toConversationRow), LIMITS.page.cards, (last) =>
    encodeCursor(last.lastMessageAt, last.id),
  );
}

/**
 * Statement for the latest conversations, which the caller combines with others; `toConversationRow` reads
 * its rows.
 */
export const latestConversationRows = (me: SignedIn, most: number) => selectInboxRows(me, TABS.all, most);

/** Unread condition. It matches the condition of the index participants_unread. */
const isUnread = sql`p.state = 'accepted' and p.archived_at is null
  and p.last_seq > greatest(p.last_read_seq, p.joined_seq)`;

const TABS = {
  all: sql`p.state = 'accepted' and p.archived_at is null`,
  unread: isUnread,
  groups: sql`p.state = 'accepted' and p.archived_at is null and c.kind = 'group'`,
  requests: sql`p.state = 'request'`,
  archived: sql`p.state = 'accepted' and p.archived_at is not null`,
};

export function toConversationRow({ lastMine, lastBy, lastHtml, lastAt, ...row }: InboxRow): ConversationRow {
  return {
    ...row,
    last: lastAt && {
      by: lastMine ? "viewer" : lastBy,
      excerpt: createExcerpt(lastHtml ?? "", 120),
      at: lastAt,
    },
  };
}

/** Number of unread conversations, at most 100. Requests and muted conversations do not count. */
export async function countUnreadConversations(db: Db, viewer: Viewer): Promise<number> {
  if (!isSignedIn(viewer)) return 0;
  return (
    await one(
      db,
      sql<{ count: number }>`select count(*)::int as count from (${unreadConversationIds(viewer)}) few`,
    )
  ).count;
}

/** SQL subquery: ids of the viewer's unread conversations, at most 100. */
export const unreadConversationIds = (viewer: Viewer) =>
  sql`select p.conversation_id as id ${unreadConversationRows(viewer)} limit 100`;

const unreadConversationRows = (viewer: Viewer) => sql`
  from participants p where p.person_id = ${viewer.id}::uuid and ${isUnread}
    and coalesce(p.muted_until <= now(), true)`;

/**
 * The next unread conversation, latest first; the current conversation (`from`) is last. Requests and muted
 * conversations are skipped. Null if all conversations are read, and for guests.
 */
export async function findNextUnreadConversation(
  db: Db,
  viewer: Viewer,
  from = "",
): Promise<{ id: string } | null> {
  if (!isSignedIn(viewer)) return null;
  const order = sql`p.conversation_id = ${isId(from) ? from : null}::uuid, p.last_message_at desc,
    p.conversation_id desc`;
  return (
    (await maybeOne(
      db,
      sql<{
        id: string;
      }>`select p.conversation_id as id ${unreadConversationRows(viewer)} order by ${order} limit 1`,
    )) ?? null
  );
}

/** The viewer's direct conversation with a person, if there is one. */
export const findConversationWith = async (
  db: Db,
  viewer: Viewer,
  personId: string,
): Promise<{ id: string } | null> =>
  (isId(personId) &&
    (await maybeOne(
      db,
      sql<{ id: string }>`
        select c.id from conversations c
        join participants p on p.conversation_id = c.id and p.person_id = ${viewer.id}::uuid
          and p.state in ('accepted', 'request')
        where c.pair = ${conversationPairKey(sql`${viewer.id}::uuid`, sql`${personId}::uuid`)}`,
    ))) ||
  null;

/** Key of a pair of people, independent of their order. */
export const conversationPairKey = (first: ReturnType<typeof sql>, second: ReturnType<typeof sql>) =>
  sql`least(${first}, ${second})::text || ':' || greatest(${first}, ${second})::text`;
