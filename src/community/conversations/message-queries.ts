import { type Db, limit, many, sql } from "#platform/database";
import { createExcerpt, stripMedia } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { conversationRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { Conversation, ConversationForUpdate } from "./conversation-columns.ts";
import { isMessageHiddenFrom, type MessageRow, type MessageView, selectMessages } from "./message-columns.ts";

export type MessagesPage = { messages: MessageView[]; hasOlder: boolean; hasNewer: boolean };

const PAGE_SIZE = LIMITS.page.messages;

/** Range of messages: the latest, those before or after a `seq`, or those around the `seq` in `at`. */
export type MessageRange = {
  before?: number | undefined;
  after?: number | undefined;
  at?: number | undefined;
};

/**
 * A page of 50 messages, oldest first. A pending request is shown without pictures and active links: nothing
 * from a stranger is loaded before the request is accepted. Of a group request only the first message is
 * shown.
 * @throws `not-found` for people who are not participants
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
    sql<MessageRow>`${selectMessages(me)} where x.conversation_id = ${conversation.id} and x.seq > ${from}
      and x.seq <= ${to} and not ${isMessageHiddenFrom(me, "x")}
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

/** Statement for one message as the viewer sees it; its row must be checked by `requireVisibleMessage`. */
export const selectMessage = (me: SignedIn, id: string) =>
  sql<MessageRow>`${selectMessages(me)} where x.id = ${id} and x.seq > p.joined_seq
    and not ${isMessageHiddenFrom(me, "x")}`;

/**
 * Returns the row of a message after checking it.
 * @throws `not-found` for a message that is missing, invisible, or of another conversation
 */
export function requireVisibleMessage(
  conversation: ConversationForUpdate,
  row: MessageRow | undefined,
): MessageView {
  if (row?.conversationId !== conversation.id || row.seq > conversationRules.readsUpTo(conversation, row.seq))
    throw notFound();
  return toMessageView(row, conversation);
}

const toSeq = (number: number | undefined) =>
  Math.min(2 ** 31 - 2, Math.max(0, Math.trunc(number ?? 0) || 0));

function toMessageView(
  { replyTo, conversationId: _, ...row }: MessageRow,
  { viewerState }: ConversationForUpdate,
): MessageView {
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
