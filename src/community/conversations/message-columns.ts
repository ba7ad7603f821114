import { sql } from "#platform/database";
import { personCard, type PersonCard } from "#community/common";
import type { MessageStub, SignedIn } from "#community/rules";
import { isNotBlockedEitherWay, isNotBlockingViewer } from "./conversation-columns.ts";

export type MessageView = {
  id: string;
  seq: number;
  author: PersonCard | null;
  /** Null if and only if there is a stub. */
  html: string | null;
  stub: MessageStub | null;
  mine: boolean;
  /** Only on the viewer's own messages: the page uses it to find the message it is sending. */
  clientId: string | null;
  createdAt: Date;
  editedAt: Date | null;
  /** The message that this one replies to, if the viewer may see it. */
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
export type MessageRow = Omit<MessageView, "replyTo"> & {
  conversationId: string;
  replyTo: (Omit<RepliedMessage, "excerpt"> & { html: string | null }) | null;
};

/**
 * Selects messages `x` of the viewer's conversations as the viewer sees them. The caller appends a
 * condition.
 */
export const selectMessages = (me: SignedIn) => sql`
  select x.id, x.conversation_id as "conversationId", x.seq,
    case when ${isNotBlockingViewer(me, "author", "c")} then ${personCard("author")} end as author,
    x.author_id = ${me.id} as mine, case when x.author_id = ${me.id} then x.client_id
      end as "clientId",
    x.created_at as "createdAt", x.edited_at as "editedAt",
    ${messageStubColumn(me, "x", "author", "c")} as stub,
    case
      when ${messageStubColumn(me, "x", "author", "c")} is null then x.body_html end as html,
    case when parent.id is not null and parent.seq > p.joined_seq and not ${isMessageHiddenFrom(me, "parent")}
      and ${messageStubColumn(me, "x", "author", "c")} is null then json_build_object('id', parent.id, 'seq',
        parent.seq, 'mine',
        parent.author_id = ${me.id},
      'author', case when ${isNotBlockingViewer(me, "parent_author", "c")} then ${personCard("parent_author")}
        end,
      'html', case when parent.deleted_at is null
        and ${isNotBlockedEitherWay(me, "parent_author", "c")} then left(parent.body_html, 600) end)
        end as "replyTo",
    case when ${messageStubColumn(me, "x", "author", "c")} is null then ${reactionCounts(me)} else '[]'::json
      end as reactions
  from messages x join conversations c on c.id = x.conversation_id
  join people author on author.id = x.author_id
  join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
  left join messages parent on parent.id = x.reply_to left
  join people parent_author on parent_author.id = parent.author_id`;

/** SQL equivalent of `conversationRules.stub`, for a message by `author`. */
export const messageStubColumn = (me: SignedIn, message: string, author: string, conversation: string) => {
  const x = sql.ref(message);
  return sql`
  case when ${x}.deleted_at is not null then 'deleted'
    when not ${isNotBlockingViewer(me, author, conversation)} then 'blocked'
    when not ${isNotBlockedEitherWay(me, author, conversation)} then 'blocked-by-viewer' end`;
};

const MAX_NAMES = 12;

/** Numbers of reactions, without those of people blocked either way. */
const reactionCounts = (me: SignedIn) => sql`
  (select coalesce(json_agg(json_build_object('emoji', e.emoji, 'count', e.count, 'mine', e.mine, 'names',
    e.names) order by e.first, e.emoji), '[]') from (
     select r.emoji, count(*)::int as count, bool_or(r.person_id = ${me.id}) as mine,
       min(r.created_at) as first,
       (array_agg(who.display_name order by r.created_at, r.person_id))[1:${sql.lit(MAX_NAMES)}] as names
     from message_reactions r join people who on who.id = r.person_id
     where r.message_id = x.id and ${isNotBlockedEitherWay(me, "who", "c")} group by r.emoji) e)`;

/** Whether the viewer has hidden the message with this alias. */
export const isMessageHiddenFrom = (me: SignedIn, alias: string) =>
  sql`exists (select from hidden_messages h
    where h.person_id = ${me.id} and h.message_id = ${sql.ref(`${alias}.id`)})`;
