import { type Db, maybeOne, sql } from "#platform/database";
import { conversationRules, type MessageStub, privacyDefaults, type Viewer } from "#community/rules";
import type { EntityChange } from "./entity-changes.ts";
import type { PresenceVisibility } from "./subscription-scopes.ts";
import { toMilliseconds, type RecordForPerson, type ApiRecord } from "./api-record.ts";

/** A subscriber who participates in the conversation, with the facts for the rules. */
type ConversationMember = {
  viewer: Viewer & { id: string };
  viewerState: "request" | "accepted" | "deleted" | "left";
  joinedSeq: number;
  /** Shares read receipts and typing status, and therefore sees those of others. */
  showsReading: boolean;
  /** The message's author blocks the viewer; without a message, the person concerned does. */
  blocksViewer: boolean;
  viewerBlocks: boolean;
  hidden: boolean;
};
type ConversationFacts = {
  kind: "direct" | "group";
  blockedEitherWay: boolean;
  insiders: ConversationMember[];
};

/**
 * Columns of `ConversationFacts`; the conversation is `c`. Guests and closed accounts are no participants.
 */
const conversationColumns = (
  people: string[],
  author: ReturnType<typeof sql>,
  message: ReturnType<typeof sql>,
) => sql`
  c.kind, c.kind = 'direct'
    and exists (select from participants one
      join participants other on other.conversation_id = one.conversation_id
    join blocks b on b.blocker_id = one.person_id and b.blocked_id = other.person_id
      where one.conversation_id = c.id) as "blockedEitherWay",
  (select coalesce(json_agg(json_build_object(
      'viewer', json_build_object('id', v.id, 'role', v.site_role, 'trust', v.trust, 'limited',
        v.state = 'limited'),
      'viewerState', o.state, 'joinedSeq', o.joined_seq,
      'showsReading', coalesce((v.privacy->>'showReading')::boolean, ${privacyDefaults.showReading}),
      'blocksViewer', exists (select from blocks b where b.blocker_id = ${author} and b.blocked_id = v.id),
      'viewerBlocks', exists (select from blocks b where b.blocker_id = v.id and b.blocked_id = ${author}),
      'hidden', exists (select from hidden_messages h
        where h.person_id = v.id and h.message_id = ${message}))), '[]')
   from participants o join people v on v.id = o.person_id
   where o.conversation_id = c.id and v.id = any(${people}::uuid[])
     and v.state in ('active', 'limited')) as insiders`;

const toConversationFacts = (
  { kind, blockedEitherWay }: ConversationFacts,
  { viewerState }: ConversationMember,
) => ({
  kind,
  viewerState,
  blocked: blockedEitherWay,
  mine: false,
});
const memberLookup = ({ insiders }: ConversationFacts) => {
  const byId = new Map(insiders.map((it) => [it.viewer.id, it]));
  return (personId: string | null) => (personId === null ? undefined : byId.get(personId));
};

type MessageRow = ConversationFacts & {
  id: string;
  conversationId: string;
  seq: number;
  authorId: string;
  body: string;
  replyTo: string | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
};

/**
 * A message as each of these people may read it, in one statement. Participants read messages written after
 * they joined.
 */
export async function readMessages(
  db: Db,
  { ids }: EntityChange,
  people: string[],
): Promise<RecordForPerson | null> {
  const row = await maybeOne(
    db,
    sql<MessageRow>`
      select x.id, x.conversation_id as "conversationId", x.seq, x.author_id as "authorId", x.body_md as body,
        x.reply_to as "replyTo",
        x.created_at as "createdAt", x.edited_at as "editedAt", x.deleted_at as "deletedAt",
        ${conversationColumns(people, sql`x.author_id`, sql`x.id`)}
      from messages x join conversations c on c.id = x.conversation_id where x.id = ${ids.objectId}`,
  );
  if (!row) return null;
  const insider = memberLookup(row);
  return (personId) => {
    const who = insider(personId);
    if (
      !who ||
      who.hidden ||
      row.seq <= who.joinedSeq ||
      row.seq > conversationRules.readsUpTo(who, row.seq) ||
      !conversationRules.see(who.viewer, toConversationFacts(row, who))
    )
      return null;
    const stub = conversationRules.stub(row, { ...who, deleted: row.deletedAt !== null });
    return toMessageRecord(row, stub, row.kind === "group" && who.blocksViewer);
  };
}

const toMessageRecord = (row: MessageRow, stub: MessageStub | null, unsigned: boolean): ApiRecord => ({
  ___class: "Messages",
  objectId: row.id,
  ownerId: unsigned ? null : row.authorId,
  created: toMilliseconds(row.createdAt),
  updated: toMilliseconds(row.editedAt),
  conversationId: row.conversationId,
  seq: row.seq,
  text: stub ? null : row.body,
  replyTo: row.replyTo,
  stub,
});

const findConversation = (db: Db, id: string, people: string[], author = sql`null::uuid`) =>
  maybeOne(
    db,
    sql<ConversationFacts>`select ${conversationColumns(people, author, sql`null::uuid`)} from conversations c
      where c.id = ${id}`,
  );

/** Returns the given people who may subscribe to a conversation. */
export async function canFollowConversation(
  db: Db,
  id: string,
  people: string[],
): Promise<(personId: string | null) => boolean> {
  const conversation = await findConversation(db, id, people);
  if (!conversation) return () => false;
  const insider = memberLookup(conversation);
  return (personId) => {
    const who = insider(personId);
    return who !== undefined && conversationRules.follow(who.viewer, toConversationFacts(conversation, who));
  };
}

/**
 * Visibility of presence in a conversation: both people have accepted it and share read receipts and typing
 * status, and no block separates them.
 */
export async function getConversationPresence(
  db: Db,
  id: string,
  personId: string,
  others: string[],
): Promise<PresenceVisibility> {
  const conversation = await findConversation(db, id, [...others, personId], sql`${personId}::uuid`);
  const insider = conversation && memberLookup(conversation);
  const takesPart = (who: ConversationMember | undefined) =>
    who !== undefined && who.viewerState === "accepted" && who.showsReading;
  if (!conversation || conversation.blockedEitherWay || !insider || !takesPart(insider(personId)))
    return { shownTo: () => false, sees: () => false };
  const meets = (other: string) => {
    const who = insider(other);
    return takesPart(who) && !who!.blocksViewer && !who!.viewerBlocks;
  };
  return { shownTo: meets, sees: meets };
}
