import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt, stripMedia } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { conversationRules, LIMITS, type MessageStub, type SignedIn, type Viewer } from "#community/rules";
import type { Conversation, ConversationForUpdate } from "./conversation.ts";
import { isNotBlockingViewer, isNotBlockedEitherWay } from "./inbox.ts";

export type MessageView = {
  id: string;
  seq: number;
  author: PersonCard | null;
  /** Null exactly when there is a stub. */
  html: string | null;
  stub: MessageStub | null;
  mine: boolean;
  /** Only on own messages: it matches the pending one on the page. */
  clientId: string | null;
  createdAt: Date;
  editedAt: Date | null;
  /** The message it replies to, if the viewer may know of it. */
  replyTo: RepliedMessage | null;
  reactions: { emoji: string; count: number; mine: boolean; names: string[] }[];
};
export type RepliedMessage = {
  id: string;
  seq: number;
  author: PersonCard | null;
  mine: boolean;
  excerpt: string;
};
export type MessagesPage = { messages: MessageView[]; hasOlder: boolean; hasNewer: boolean };

const PAGE_SIZE = LIMITS.page.messages;

/** Which messages: the latest, those before or after a `seq`, or around the one `at`. */
export type MessageRange = {
  before?: number | undefined;
  after?: number | undefined;
  at?: number | undefined;
};

/**
 * 50 messages, oldest first. A pending request is shown without pictures and active links: nothing from a
 * stranger is loaded before it is accepted. Of a group request only the first message is shown.
 * @throws `not-found` for people who are no participants
 */
export async function getMessagesPage(
  db: Db,
  viewer: Viewer,
  conversation: Conversation,
  query: MessageRange = {},
): Promise<MessagesPage> {
  const me = requireSignedIn(viewer);
  if (!conversationRules.see(me, conversation)) throw notFound();
  const after = query.at === undefined ? query.after : toSeq(query.at) - PAGE_SIZE / 2;
  const forwards = after !== undefined;
  const from = forwards ? Math.max(toSeq(after), conversation.joinedSeq) : conversation.joinedSeq;
  const wanted = query.before === undefined ? conversation.lastSeq + PAGE_SIZE : toSeq(query.before) - 1;
  const to = conversationRules.readsUpTo(conversation, wanted);
  const rows = await many(
    db,
    sql<MessageRow>`${messageColumns(me)} where x.conversation_id = ${conversation.id} and x.seq > ${from}
      and x.seq <= ${to} and not ${isHiddenFrom(me, "x")}
      order by x.seq ${forwards ? sql`asc` : sql`desc`} ${limit(PAGE_SIZE + 1)}`,
  );
  const more = rows.length > PAGE_SIZE;
  const messages = rows
    .slice(0, PAGE_SIZE)
    .map((row) => toMessageView(row, conversation))
    .sort((a, b) => a.seq - b.seq);
  const first = messages[0]?.seq ?? 0;
  return {
    messages,
    hasOlder: forwards ? first > conversation.joinedSeq + 1 : more,
    hasNewer: forwards
      ? more
      : query.before !== undefined && (messages.at(-1)?.seq ?? 0) < conversation.lastSeq,
  };
}

/**
 * One message as the viewer sees it.
 * @throws `not-found` for one that is missing or invisible
 */
export async function getMessage(
  db: Db,
  me: SignedIn,
  conversation: ConversationForUpdate,
  id: string,
): Promise<MessageView> {
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<MessageRow>`${messageColumns(me)} where x.id = ${id} and x.conversation_id = ${conversation.id}
          and x.seq > ${conversation.joinedSeq} and not ${isHiddenFrom(me, "x")}`,
      )
    : undefined;
  if (!row || row.seq > conversationRules.readsUpTo(conversation, row.seq)) throw notFound();
  return toMessageView(row, conversation);
}

const toSeq = (number: number | undefined) =>
  Math.min(2 ** 31 - 2, Math.max(0, Math.trunc(number ?? 0) || 0));

type MessageRow = Omit<MessageView, "replyTo"> & {
  replyTo: (Omit<RepliedMessage, "excerpt"> & { html: string | null }) | null;
};

function toMessageView({ replyTo, ...row }: MessageRow, { viewerState }: ConversationForUpdate): MessageView {
  const html = row.html !== null && viewerState === "request" ? stripMedia(row.html) : row.html;
  const answered = replyTo && {
    id: replyTo.id,
    seq: replyTo.seq,
    author: replyTo.author,
    mine: replyTo.mine,
  };
  return {
    ...row,
    html,
    replyTo: answered && { ...answered, excerpt: createExcerpt(replyTo?.html ?? "", 120) },
  };
}

const messageColumns = (me: SignedIn) => sql`
  select x.id, x.seq, case when ${isNotBlockingViewer(me, "author", "c")} then ${personCard("author")}
    end as author, x.author_id = ${me.id} as mine, case when x.author_id = ${me.id} then x.client_id
      end as "clientId",
    x.created_at as "createdAt", x.edited_at as "editedAt", ${stubColumn(me)} as stub, case
      when ${stubColumn(me)} is null then x.body_html end as html,
    case when parent.id is not null and parent.seq > p.joined_seq and not ${isHiddenFrom(me, "parent")}
      and ${stubColumn(me)} is null then json_build_object('id', parent.id, 'seq', parent.seq, 'mine',
        parent.author_id = ${me.id},
      'author', case when ${isNotBlockingViewer(me, "parent_author", "c")} then ${personCard("parent_author")}
        end,
      'html', case when parent.deleted_at is null
        and ${isNotBlockedEitherWay(me, "parent_author", "c")} then left(parent.body_html, 600) end)
        end as "replyTo",
    case when ${stubColumn(me)} is null then ${reactionCounts(me)} else '[]'::json end as reactions
  from messages x join conversations c on c.id = x.conversation_id
  join people author on author.id = x.author_id
  join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
  left join messages parent on parent.id = x.reply_to left
  join people parent_author on parent_author.id = parent.author_id`;

/** SQL twin of `conversationRules.stub`, for the message `x` in `c` by `author`. */
export const stubColumn = (me: SignedIn) => sql`
  case when x.deleted_at is not null then 'deleted'
    when not ${isNotBlockingViewer(me, "author", "c")} then 'blocked'
    when not ${isNotBlockedEitherWay(me, "author", "c")} then 'blocked-by-viewer' end`;

const MAX_NAMES = 12;

/** Reactions of people blocked either way are left out. */
const reactionCounts = (me: SignedIn) => sql`
  (select coalesce(json_agg(json_build_object('emoji', e.emoji, 'count', e.count, 'mine', e.mine, 'names',
    e.names) order by e.first, e.emoji), '[]') from (
     select r.emoji, count(*)::int as count, bool_or(r.person_id = ${me.id}) as mine,
       min(r.created_at) as first,
       (array_agg(who.display_name order by r.created_at, r.person_id))[1:${sql.lit(MAX_NAMES)}] as names
     from message_reactions r join people who on who.id = r.person_id
     where r.message_id = x.id and ${isNotBlockedEitherWay(me, "who", "c")} group by r.emoji) e)`;

/** Whether the viewer has hidden the message under `alias`. */
export const isHiddenFrom = (me: SignedIn, alias: string) =>
  sql`exists (select from hidden_messages h
    where h.person_id = ${me.id} and h.message_id = ${sql.ref(`${alias}.id`)})`;
