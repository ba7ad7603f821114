import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { conversationRules, type Viewer } from "#community/rules";
import { getConversationForUpdate } from "./conversation.ts";
import type { MessageChange, MessageReaction } from "./conversation-inputs.ts";
import { getMessage } from "./message-queries.ts";
import { lockSender, assertMessageReactionLimit, assertFirstMessageLength } from "./message-limits.ts";
import { detachMessageUploads, attachMessageUploads, renderMessage } from "./message-uploads.ts";

type MessageInput = { messageId: string };

/**
 * Source text of an own message, for editing.
 * @throws `not-found` for others' and withdrawn ones
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
 * Edits an own message within ten minutes.
 * @throws `not-found`, `invalid` on `body`, `not-allowed` later, for others' and after a block
 */
export async function editMessage(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MessageChange>,
): Promise<void> {
  const { me, conversation, message } = await getMessageForUpdate(tx, viewer, input);
  if (!conversationRules.edit(me, conversation, message, tx.now)) throw editTimeOverRefusal();
  assertFirstMessageLength(conversation, message.seq, input.body);
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
 * Withdraws an own message for everyone within ten minutes and deletes its text.
 * @throws `not-found`, `not-allowed` later and for others'
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
  const { me, conversation } = await getConversationOfMessage(tx, viewer, messageId);
  await run(
    tx,
    sql`insert into hidden_messages (person_id, message_id, hidden_at)
        select ${me.id}, id, ${tx.now} from messages
        where id = ${messageId} and seq > ${conversation.joinedSeq} on conflict do nothing`,
  );
  await emit(tx, { type: "conversation.kept", conversationId: conversation.id, by: me.id });
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
  await lockSender(tx, requireSignedIn(viewer));
  const { me, conversation, message } = await getMessageToReactTo(tx, viewer, input);
  const left = await run(
    tx,
    sql`insert into message_reactions (message_id, person_id, emoji, created_at)
      values (${message.id}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing`,
  );
  if (left === 0) return;
  await assertMessageReactionLimit(tx, me);
  await emit(tx, {
    type: "message.reacted",
    ...messageEventFields(conversation, message),
    emoji: input.emoji,
    by: me.id,
  });
}

export async function unreactToMessage(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MessageReaction>,
): Promise<void> {
  const { me, conversation, message } = await getMessageToReactTo(tx, viewer, input);
  const gone = await run(
    tx,
    sql`delete from message_reactions
      where message_id = ${message.id} and person_id = ${me.id} and emoji = ${input.emoji}`,
  );
  if (gone > 0)
    await emit(tx, {
      type: "message.unreacted",
      ...messageEventFields(conversation, message),
      emoji: input.emoji,
      by: me.id,
    });
}

async function getMessageToReactTo(tx: Tx, viewer: Viewer, input: MessageInput) {
  const found = await getMessageForUpdate(tx, viewer, input);
  if (!conversationRules.react(found.me, found.conversation, found.message))
    throw new Refusal("not-allowed", "You cannot react to this message.");
  return found;
}

/** The message and its conversation, locked. */
async function getMessageForUpdate(tx: Tx, viewer: Viewer, { messageId }: MessageInput) {
  const { me, conversation } = await getConversationOfMessage(tx, viewer, messageId);
  return { me, conversation, message: await getMessage(tx, me, conversation, messageId) };
}

async function getConversationOfMessage(tx: Tx, viewer: Viewer, messageId: string) {
  const me = requireSignedIn(viewer);
  const place = isId(messageId)
    ? await maybeOne(
        tx,
        sql<{ id: string }>`select conversation_id as id from messages where id = ${messageId}`,
      )
    : undefined;
  if (!place) throw notFound();
  return { me, conversation: await getConversationForUpdate(tx, me, place.id) };
}

const messageEventFields = (conversation: { id: string }, { id, seq }: { id: string; seq: number }) => ({
  conversationId: conversation.id,
  messageId: id,
  seq,
});

const editTimeOverRefusal = () =>
  new Refusal("not-allowed", "Only the author can edit or delete a message, within 10 minutes.");
