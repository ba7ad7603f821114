import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { publishAfterCommit, emitInStatement, type DomainEvent } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import { isMuting, assertNoNewcomerLinks, requireSignedIn, type Relationship } from "#community/friends";
import { assertNoListedLinks } from "#community/prevention";
import { conversationRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { requireVisibleConversation } from "./conversation.ts";
import { type ConversationForUpdate, selectForUpdate } from "./conversation-columns.ts";
import type { NewConversation, NewMessage } from "./conversation-inputs.ts";
import { conversationPairKey } from "./inbox.ts";
import { requireVisibleMessage, selectMessage } from "./message-queries.ts";
import {
  assertConversationLimit,
  assertFirstMessageLength,
  assertMessageRate,
  findEarlierMessage,
  senderLockSql,
} from "./message-limits.ts";
import { attachMessageUploads, renderMessage } from "./message-uploads.ts";
import { conversationFullRefusal, assertCanMessage, getRecipients } from "./recipients.ts";

/**
 * Writes to one person, in the direct conversation of the two, or opens a group conversation. Friends get
 * the message in the inbox, others as a request.
 * @throws `invalid` on `to` for unknown people, `not-allowed` for people who accept no messages from the
 * viewer, and what `sendMessage` throws
 */
export async function startConversation(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewConversation>,
): Promise<{ id: string; seq: number }> {
  const me = requireSignedIn(viewer);
  const ties = await getRecipients(tx, me, input.to);
  const tooMany = ties[LIMITS.conversation.people - 1];
  if (tooMany) throw conversationFullRefusal(tooMany.name);
  const id =
    ties.length === 1
      ? await findOrCreateDirect(tx, me, ties[0]!)
      : await createGroupConversation(tx, me, ties, input);
  const { seq } = await sendMessage(tx, me, {
    conversationId: id,
    body: input.body,
    clientId: input.clientId,
  });
  await run(tx, deleteSentDraft(me.id, "new:conversation", input));
  return { id, seq };
}

/**
 * Returns the direct conversation of two people, and creates it if necessary. Earlier messages stay readable
 * for both people.
 */
async function findOrCreateDirect(tx: Tx, me: SignedIn, relationship: Relationship): Promise<string> {
  const pair = conversationPairKey(sql`${me.id}::uuid`, sql`${relationship.id}::uuid`);
  const open = await maybeOne(
    tx,
    sql<{ id: string }>`
      select c.id from conversations c
      join participants p on p.conversation_id = c.id and p.person_id = ${me.id}
        and p.state in ('accepted', 'request')
      where c.pair = ${pair}`,
  );
  if (open) return open.id;
  assertCanMessage(me, relationship);
  await assertConversationLimit(tx, me);
  const made = await one(
    tx,
    sql<{ id: string; now: boolean }>`
      insert into conversations (id, kind, creator_id, pair, last_message_at, created_at)
      values (${tx.newId()}, 'direct', ${me.id}, ${pair}, ${tx.now}, ${tx.now})
      on conflict (pair) do update set pair = excluded.pair returning id, xmax = 0 as now`,
  );
  await insertParticipant(tx, made.id, me.id, "accepted");
  if (made.now)
    await insertParticipant(tx, made.id, relationship.id, relationship.isFriend ? "accepted" : "request");
  return made.id;
}

const insertParticipant = (tx: Tx, conversationId: string, personId: string, state: "accepted" | "request") =>
  run(
    tx,
    sql`insert into participants (conversation_id, person_id, state, last_message_at, joined_at)
      values (${conversationId}, ${personId}, ${state}, ${tx.now}, ${tx.now})
        on conflict (conversation_id, person_id) do update set state = excluded.state, archived_at = null`,
  );

async function createGroupConversation(
  tx: Tx,
  me: SignedIn,
  ties: Relationship[],
  input: z.output<typeof NewConversation>,
): Promise<string> {
  for (const relationship of ties) assertCanMessage(me, relationship);
  const already = await findSubmittedMessage(tx, me, input);
  if (already) return already.conversationId;
  await assertConversationLimit(tx, me);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into conversations (id, kind, name, creator_id, last_message_at, created_at)
      values (${id}, 'group', ${input.name}, ${me.id}, ${tx.now}, ${tx.now})`,
  );
  const people = [me.id, ...ties.map((relationship) => relationship.id)];
  const states = ["accepted", ...ties.map(({ isFriend }) => (isFriend ? "accepted" : "request"))];
  await run(
    tx,
    sql`insert into participants (conversation_id, person_id, state, last_message_at, joined_at)
        select ${id}, person_id, state, ${tx.now}, ${tx.now}
        from unnest(${people}::uuid[], ${states}::text[]) as t (person_id, state)`,
  );
  return id;
}

/** A retry of the same submission waits here, so that it finds the stored result. */
async function findSubmittedMessage(
  tx: Tx,
  me: SignedIn,
  { clientId, body }: z.output<typeof NewConversation>,
) {
  if (!clientId) return undefined;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 1))`);
  return maybeOne(
    tx,
    sql<{
      conversationId: string;
    }>`select conversation_id as "conversationId" from messages
      where author_id = ${me.id} and client_id = ${clientId} and body_md = ${body}`,
  );
}

/**
 * Sends a message, optionally as a reply; replying to a request accepts it. Stored once per `clientId`;
 * another text under the same id comes from a restored page and is a new message.
 * @throws `not-found` for people who are not participants and for a reply to a missing message,
 * `not-allowed` after a block, `conflict` while a first message is unanswered or for a `clientId` used
 * elsewhere, `too-many`
 */
export async function sendMessage(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewMessage>,
): Promise<{ id: string; seq: number }> {
  const me = requireSignedIn(viewer);
  const { conversation, before, replied } = await lockSendTarget(tx, me, input);
  if (before.same && before.conversationId === conversation.id) return { id: before.id!, seq: before.seq! };
  if (before.same) throw sentElsewhereRefusal();
  if (!conversationRules.write(me, conversation))
    throw new Refusal("not-allowed", "You can no longer message this person.");
  assertRequestRules(conversation, input.body);
  assertMessageRate(me, before);
  await assertNoListedLinks(tx, me, { body: input.body });
  if (conversation.waiting) await assertNoNewcomerLinks(tx, me, "body", input.body);
  // If the quoted message is a stub (deleted, or hidden by a block), the new message is sent without a
  // reference.
  const answered =
    input.replyTo && requireVisibleMessage(conversation, replied).stub === null ? input.replyTo : undefined;
  const message = { id: tx.newId(), seq: conversation.lastSeq + 1 };
  const domainEvent = {
    type: "message.written",
    conversationId: conversation.id,
    messageId: message.id,
    seq: message.seq,
    by: me.id,
  };
  const { html, uploads } = await renderMessage(tx, me, {
    id: message.id,
    body: input.body,
    to: conversation,
  });
  const clientId = before.id === null ? input.clientId : undefined;
  const statement = insertMessage(
    tx,
    me,
    conversation,
    { ...input, ...message, html, clientId, replyTo: answered },
    domainEvent,
  );
  const stored = await one(tx, statement).catch((error: unknown) => {
    throw isClientIdTaken(error) ? sentElsewhereRefusal() : error;
  });
  publishAfterCommit(tx, domainEvent, stored.id);
  if (uploads.length > 0) await attachMessageUploads(tx, me, message.id, uploads);
  return message;
}

/**
 * Takes the sender lock, locks the conversation, and loads recent activity and the message replied to.
 * @throws `not-found`
 */
async function lockSendTarget(tx: Tx, me: SignedIn, input: z.output<typeof NewMessage>) {
  const [, found, before, replied] = await Promise.all([
    run(tx, senderLockSql(me)),
    maybeOne(tx, selectForUpdate(me, input.conversationId)),
    one(tx, findEarlierMessage(tx, me, input)),
    input.replyTo ? maybeOne(tx, selectMessage(me, input.replyTo)) : undefined,
  ]);
  return { conversation: requireVisibleConversation(me, found), before, replied };
}

const sentElsewhereRefusal = () => new Refusal("conflict", "This was already sent in another conversation.");
/**
 * Two concurrent messages with one client id in different conversations reach the unique index: the row
 * locks do not exclude each other.
 */
const isClientIdTaken = (error: unknown) =>
  typeof error === "object" &&
  error !== null &&
  "constraint" in error &&
  error.constraint === "messages_client_id";

/**
 * Whether a participant mutes the sender. For them the message arrives as read, and the conversation stays
 * archived.
 */
const isMuted = (writer: SignedIn) => isMuting(sql`participants.person_id`, sql`${writer.id}::uuid`);

/**
 * Stores a message. The conversation's row is locked, so that the next number is free. The conversation is
 * unarchived for participants who do not mute the sender. In a group conversation, a message of a muted
 * sender does not mark messages of others as read.
 */
const insertMessage = (
  tx: Tx,
  me: SignedIn,
  conversation: ConversationForUpdate,
  message: z.output<typeof NewMessage> & { id: string; seq: number; html: string },
  domainEvent: DomainEvent,
) => sql<{ id: string }>`
  with message as (
    insert into messages (id, conversation_id, seq, author_id, body_md, body_html, client_id, reply_to,
      created_at)
    values (${message.id}, ${conversation.id}, ${message.seq}, ${me.id}, ${message.body}, ${message.html},
      ${message.clientId ?? null}, ${message.replyTo ?? null}, ${tx.now})
    returning id),
  people as (
    update participants set last_seq = ${message.seq}, last_message_at = ${tx.now},
      archived_at = case when muted_until > ${tx.now} or ${isMuted(me)} then archived_at end,
      state = case when person_id = ${me.id} then 'accepted' else state end,
      last_read_seq = case when person_id = ${me.id}
        or (${isMuted(me)} and (${conversation.kind === "direct"}::boolean
          or last_read_seq >= ${message.seq - 1})) then ${message.seq} else last_read_seq end,
      seen_seq = case when person_id = ${me.id} then ${message.seq} else seen_seq end
    where conversation_id = ${conversation.id}),
  draft as (${deleteSentDraft(me.id, `conversation:${conversation.id}`, message)}),
  latest as (update conversations set last_seq = ${message.seq}, last_message_at = ${tx.now}
    where id = ${conversation.id})
  ${emitInStatement(tx, domainEvent, "message")}`;

function assertRequestRules(conversation: ConversationForUpdate, body: string) {
  if (conversation.waiting && conversation.viewerState === "accepted" && conversation.lastSeq > 0)
    throw new Refusal(
      "conflict",
      "Your first message waits for an answer. You can write more once it is accepted.",
    );
  assertFirstMessageLength(conversation, conversation.lastSeq + 1, body);
}
