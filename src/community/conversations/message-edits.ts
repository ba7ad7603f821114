import { type Db, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit, emitInStatement, publishAfterCommit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { assertNoNewcomerLinks, requireSignedIn } from "#community/friends";
import { assertNoListedLinks } from "#community/prevention";
import { conversationRules, type SignedIn, type Viewer } from "#community/rules";
import { requireVisibleConversation } from "./conversation.ts";
import { selectForUpdate } from "./conversation-columns.ts";
import type { MessageChange, MessageReaction } from "./conversation-inputs.ts";
import { requireVisibleMessage, selectMessage } from "./message-queries.ts";
import {
  assertFirstMessageLength,
  assertMessageReactionLimit,
  lockSender,
  recentMessageReactionCount,
} from "./message-limits.ts";
import { detachMessageUploads, attachMessageUploads, renderMessage } from "./message-uploads.ts";

type MessageInput = { messageId: string };

/**
 * Source text of the viewer's own message, for editing.
 * @throws `not-found` for messages of others and deleted messages
 */
export async function getMessageSource(db: Db, viewer: Viewer, messageId: string): Promise<string> {
  const me = requireSignedIn(viewer);
  const row = isId(messageId)
    ? await maybeOne(
        db,
        sql<{ body: string }>`
          select m.body_md as body from messages m
          join participants p on p.conversation_id = m.conversation_id and p.person_id = ${me.id}
            and p.state = 'accepted'
          where m.id = ${messageId} and m.author_id = ${me.id} and m.deleted_at is null`,
      )
    : undefined;
  if (!row) throw notFound();
  return row.body;
}

/**
 * Edits the viewer's own message within ten minutes.
 * @throws `not-found`, `invalid` on `body`, `not-allowed` later, for messages of others and after a block
 */
export async function editMessage(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MessageChange>,
): Promise<void> {
  const { me, conversation, message } = await getMessageForUpdate(tx, viewer, input);
  if (!conversationRules.edit(me, conversation, message, tx.now)) throw editTimeOverRefusal();
  assertFirstMessageLength(conversation, message.seq, input.body);
  await assertNoListedLinks(tx, me, { body: input.body });
  if (conversation.waiting) await assertNoNewcomerLinks(tx, me, "body", input.body);
  const { html, uploads } = await renderMessage(tx, me, {
    id: message.id,
    body: input.body,
    to: conversation,
  });
  await run(
    tx,
    sql`update messages set body_md = ${input.body}, body_html = ${html}, edited_at = ${tx.now}
      where id = ${message.id}`,
  );
  await attachMessageUploads(tx, me, message.id, uploads);
  await emit(tx, { type: "message.edited", ...messageEventFields(conversation, message), by: me.id });
}

/**
 * Deletes the viewer's own message and its text for everyone, within ten minutes.
 * @throws `not-found`, `not-allowed` later and for messages of others
 */
export async function deleteMessage(tx: Tx, viewer: Viewer, input: MessageInput): Promise<void> {
  const { me, conversation, message } = await getMessageForUpdate(tx, viewer, input);
  if (!conversationRules.takeBack(me, conversation, message, tx.now)) throw editTimeOverRefusal();
  await run(
    tx,
    sql`update messages set body_md = '', body_html = '', deleted_at = ${tx.now} where id = ${message.id}`,
  );
  await run(tx, sql`delete from message_reactions where message_id = ${message.id}`);
  await detachMessageUploads(tx, message.id);
  await emit(tx, { type: "message.deleted", ...messageEventFields(conversation, message), by: me.id });
}

/**
 * Hides a message for the viewer only.
 * @throws `not-found`
 */
export async function hideMessage(tx: Tx, viewer: Viewer, { messageId }: MessageInput): Promise<void> {
  const me = requireSignedIn(viewer);
  if (!isId(messageId)) throw notFound();
  const found = await maybeOne(tx, selectConversationOfMessage(me, messageId));
  const conversation = requireVisibleConversation(me, found);
  await run(
    tx,
    sql`insert into hidden_messages (person_id, message_id, hidden_at)
        select ${me.id}, id, ${tx.now} from messages
        where id = ${messageId} and seq > ${conversation.joinedSeq} on conflict do nothing`,
  );
  await emit(tx, { type: "conversation.participant_changed", conversationId: conversation.id, by: me.id });
}

/**
 * Adds a reaction; adding it twice counts once.
 * @throws `not-found`, `not-allowed`, `too-many` above fifty in a day
 */
export async function reactToMessage(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MessageReaction>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  // The lock statement is sent first: the sender lock must be taken before the conversation lock.
  const locked = lockSender(tx, me);
  const [found] = await Promise.all([getMessageToReactTo(tx, me, input), locked]);
  const domainEvent = { type: "message.reacted", ...reactionEventFields(found, input) };
  const { id, before } = await one(
    tx,
    sql<{ id: string | null; before: number }>`
      with added as (
        insert into message_reactions (message_id, person_id, emoji, created_at)
        values (${input.messageId}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing
        returning message_id),
      event as (${emitInStatement(tx, domainEvent, "added")})
      select (select id from event) as id, ${recentMessageReactionCount(tx, me)} as before`,
  );
  if (id === null) return;
  assertMessageReactionLimit(me, before);
  publishAfterCommit(tx, domainEvent, id);
}

export async function unreactToMessage(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MessageReaction>,
): Promise<void> {
  const found = await getMessageToReactTo(tx, requireSignedIn(viewer), input);
  const domainEvent = { type: "message.unreacted", ...reactionEventFields(found, input) };
  const stored = await maybeOne(
    tx,
    sql<{ id: string }>`
      with gone as (
        delete from message_reactions
        where message_id = ${input.messageId} and person_id = ${found.me.id} and emoji = ${input.emoji}
        returning message_id)
      ${emitInStatement(tx, domainEvent, "gone")}`,
  );
  if (stored) publishAfterCommit(tx, domainEvent, stored.id);
}

async function getMessageToReactTo(tx: Tx, me: SignedIn, input: MessageInput) {
  const found = await getMessageForUpdate(tx, me, input);
  if (!conversationRules.react(found.me, found.conversation, found.message))
    throw new Refusal("not-allowed", "You cannot react to this message.");
  return found;
}

/** The message and its conversation, locked. */
async function getMessageForUpdate(tx: Tx, viewer: Viewer, { messageId }: MessageInput) {
  const me = requireSignedIn(viewer);
  if (!isId(messageId)) throw notFound();
  const [found, message] = await Promise.all([
    maybeOne(tx, selectConversationOfMessage(me, messageId)),
    maybeOne(tx, selectMessage(me, messageId)),
  ]);
  const conversation = requireVisibleConversation(me, found);
  return { me, conversation, message: requireVisibleMessage(conversation, message) };
}

const selectConversationOfMessage = (me: SignedIn, messageId: string) =>
  selectForUpdate(me, sql`(select conversation_id from messages where id = ${messageId})`);

const messageEventFields = (conversation: { id: string }, { id, seq }: { id: string; seq: number }) => ({
  conversationId: conversation.id,
  messageId: id,
  seq,
});

const reactionEventFields = (
  { me, conversation, message }: Awaited<ReturnType<typeof getMessageToReactTo>>,
  { emoji }: z.output<typeof MessageReaction>,
) => ({ ...messageEventFields(conversation, message), emoji, by: me.id });

const editTimeOverRefusal = () =>
  new Refusal("not-allowed", "Only the author can edit or delete a message, within 10 minutes.");
