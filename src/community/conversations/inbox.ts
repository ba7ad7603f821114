import { type Db, limit, many, maybeOne, one, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import {
  encodeCursor,
  whenGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { blockerIds, blockedEitherWayIds, requireSignedIn } from "#community/friends";
import { isSignedIn, LIMITS, type SignedIn, type Viewer } from "#community/rules";

export type ConversationRow = {
  id: string;
  kind: "direct" | "group";
  name: string;
  /** At most four; `othersCount` is the total. */
  others: PersonCard[];
  othersCount: number;
  last: { by: "viewer" | PersonCard | null; excerpt: string; at: Date } | null;
  unread: number;
  muted: boolean;
  archived: boolean;
  isRequest: boolean;
  lastMessageAt: Date;
};
export type InboxTab = "all" | "unread" | "groups" | "requests" | "archived";

/** Database row of a conversation in the inbox. */
export type InboxRow = Omit<ConversationRow, "last"> & {
  lastMine: boolean;
  lastBy: PersonCard | null;
  lastHtml: string | null;
  lastAt: Date | null;
};

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
      sql`${TABS[query.tab]} ${whenGiven(
        cursor,
        ([at, id]) => sql`and (c.last_message_at, c.id) < (${at},
        ${id}::uuid)`,
      )}`,
      LIMITS.page.cards + 1,
    ),
  );
  return toPage(rows.map(toConversationRow), LIMITS.page.cards, (last) =>
    encodeCursor(last.lastMessageAt, last.id),
  );
}

const selectInboxRows = (me: SignedIn, condition: ReturnType<typeof sql>, most: number) => sql<InboxRow>`
      select c.id, c.kind, c.name, ${otherParticipants(me)} as others,
        (select count(*)::int from participants o
          where o.conversation_id = c.id and o.person_id <> ${me.id} and o.state <> 'left') as "othersCount",
        coalesce(last.author_id = ${me.id}, false) as "lastMine", last.created_at as "lastAt",
        case when last_author.id is not null
          and ${isNotBlockingViewer(me, "last_author", "c")} then ${personCard("last_author")}
          end as "lastBy",
        case when last.deleted_at is null and ${isNotBlockedEitherWay(me, "last_author", "c")}
          and not exists (select from hidden_messages h
            where h.person_id = ${me.id} and h.message_id = last.id) then left(last.body_html, 600)
              end as "lastHtml",
        ${unreadMessageCount} as unread, ${isMuted} as muted, c.archived_at is not null as archived,
        c.viewer_state = 'request' as "isRequest", c.last_message_at as "lastMessageAt"
      from (
        select c.*, ${readableUpTo("p", sql`c.last_seq`)} as reads_up_to, p.state as viewer_state,
          p.last_read_seq, p.joined_seq, p.muted_until, p.archived_at
        from participants p join conversations c on c.id = p.conversation_id
        where p.person_id = ${me.id} and c.last_seq > p.joined_seq and ${condition}
        order by c.last_message_at desc, c.id desc ${limit(most)}) c
      left join messages last on last.conversation_id = c.id and last.seq = c.reads_up_to
      left join people last_author on last_author.id = last.author_id
      order by c.last_message_at desc, c.id desc`;

/** Statement for the latest conversations, to be combined with others; `toConversationRow` reads its rows. */
export const latestConversationRows = (me: SignedIn, most: number) => selectInboxRows(me, TABS.all, most);

const TABS = {
  all: sql`p.state = 'accepted' and p.archived_at is null`,
  unread: sql`p.state = 'accepted' and p.archived_at is null and c.last_seq > p.last_read_seq`,
  groups: sql`p.state = 'accepted' and p.archived_at is null and c.kind = 'group'`,
  requests: sql`p.state = 'request'`,
  archived: sql`p.state = 'accepted' and p.archived_at is not null`,
};

const unreadMessageCount = sql`greatest(c.reads_up_to - greatest(c.last_read_seq, c.joined_seq), 0)`;
const isMuted = sql`coalesce(c.muted_until > now(), false)`;

// A direct conversation stays readable for both after a block. In a group conversation the blocked person
// does not learn who blocked them, and neither reads the other.

// Applies to staff too: they have no special rights in conversations.
/** Ids of people who block the viewer, whatever the viewer's role. */
export const allBlockerIds = (me: SignedIn) => blockerIds({ ...me, role: "member" });

/** SQL twin of `conversationRules.readsUpTo`, for the participant under `alias`. */
export const readableUpTo = (alias: string, lastSeq: ReturnType<typeof sql>) =>
  sql<number>`(case when ${sql.ref(`${alias}.state`)} = 'request' then least(${lastSeq},
    ${sql.ref(`${alias}.joined_seq`)} + 1) else ${lastSeq} end)`;

/** Whether the viewer sees who the person under `alias` is in the conversation `c`. */
export const isNotBlockingViewer = (me: SignedIn, alias: string, conversation: string) => {
  const c = sql.ref(conversation);
  return sql`(${c}.kind = 'direct' or ${sql.ref(alias)}.id <> all(${allBlockerIds(me)}))`;
};
/** Whether the viewer reads that person's messages there. */
export const isNotBlockedEitherWay = (me: SignedIn, alias: string, conversation: string) => {
  const c = sql.ref(conversation);
  return sql`(${c}.kind = 'direct' or ${sql.ref(alias)}.id <> all(${blockedEitherWayIds(me)}))`;
};

/** Four of the other participants. */
export const otherParticipants = (me: SignedIn) => sql`
  (select coalesce(json_agg(${personCard("p")} order by o.joined_at, p.id), '[]')
   from (select * from participants where conversation_id = c.id and person_id <> ${me.id} and state <> 'left'
     order by joined_at, person_id limit 4) o
   join people p on p.id = o.person_id where ${isNotBlockingViewer(me, "p", "c")})`;

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

/** Number of unread conversations, at most 100; without requests and muted ones. */
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
  sql`select c.id ${unreadConversationRows(viewer)} limit 100`;

const unreadConversationRows = (viewer: Viewer) => sql`
  from participants p join conversations c on c.id = p.conversation_id
  where p.person_id = ${viewer.id}::uuid and p.state = 'accepted' and p.archived_at is null
    and c.last_seq > greatest(p.last_read_seq, p.joined_seq)
    and coalesce(p.muted_until <= now(), true)`;

/**
 * The next unread conversation, by last message; `from` comes last. Null if all are read, and for guests;
 * without requests and muted ones.
 */
export async function findNextUnreadConversation(
  db: Db,
  viewer: Viewer,
  from = "",
): Promise<{ id: string } | null> {
  if (!isSignedIn(viewer)) return null;
  const order = sql`c.id = ${isId(from) ? from : null}::uuid, c.last_message_at desc, c.id desc`;
  return (
    (await maybeOne(
      db,
      sql<{ id: string }>`select c.id ${unreadConversationRows(viewer)} order by ${order} limit 1`,
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
        where c.pair = ${pairKey(sql`${viewer.id}::uuid`, sql`${personId}::uuid`)}`,
    ))) ||
  null;

/** Key of a pair of people, independent of their order. */
export const pairKey = (one: ReturnType<typeof sql>, other: ReturnType<typeof sql>) =>
  sql`least(${one}, ${other})::text || ':' || greatest(${one}, ${other})::text`;
