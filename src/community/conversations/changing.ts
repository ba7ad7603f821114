import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { signedIn } from "#community/friends";
import { conversationRules, type Viewer } from "#community/rules";
import { conversationToChange } from "./conversation.ts";
import type { MessageChange, MessageReaction } from "./forms.ts";
import { messageIn } from "./messages.ts";
import { alone, assertMayHaveReacted, mindFirstLength } from "./pace.ts";
import { dropMessageUploads, keepMessageUploads, renderMessage } from "./pictures.ts";

type Wanted = { messageId: string };

/**
 * Source text of an own message, for editing.
 * @throws `not-found` for others' and withdrawn ones
 */
export async function messageSource(db: Db, viewer: Viewer, messageId: string): Promise<string> {
  const me = signedIn(viewer);
  const row = isId(messageId)
    ? await maybeOne(
        db,
        sql<{ body: string }>`
          select m.body_md as body from messages m join participants p on p.conversation_id = m.conversation_id and p.person_id = ${me.id} and p.state = 'accepted'
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
export async function editMessage(tx: Tx, viewer: Viewer, input: z.output<typeof MessageChange>): Promise<void> {
  const { me, conversation, message } = await at(tx, viewer, input);
  if (!conversationRules.edit(me, conversation, message, tx.now)) throw tooLate();
  mindFirstLength(conversation, message.seq, input.body);
  const { html, uploads } = await renderMessage(tx, me, { id: message.id, body: input.body, to: conversation });
  await run(tx, sql`update messages set body_md = ${input.body}, body_html = ${html}, edited_at = ${tx.now} where id = ${message.id}`);
  await keepMessageUploads(tx, me, message.id, uploads);
  await announce(tx, { type: "message.edited", ...namesOf(conversation, message), by: me.id });
}

/**
 * Withdraws an own message for everyone within ten minutes and deletes its text.
 * @throws `not-found`, `not-allowed` later and for others'
 */
export async function deleteMessage(tx: Tx, viewer: Viewer, input: Wanted): Promise<void> {
  const { me, conversation, message } = await at(tx, viewer, input);
  if (!conversationRules.takeBack(me, conversation, message, tx.now)) throw tooLate();
  await run(tx, sql`update messages set body_md = '', body_html = '', deleted_at = ${tx.now} where id = ${message.id}`);
  await run(tx, sql`delete from message_reactions where message_id = ${message.id}`);
  await dropMessageUploads(tx, message.id);
  await announce(tx, { type: "message.deleted", ...namesOf(conversation, message), by: me.id });
}

/**
 * Hides a message for the viewer only.
 * @throws `not-found`
 */
export async function hideMessage(tx: Tx, viewer: Viewer, { messageId }: Wanted): Promise<void> {
  const { me, conversation } = await placeOf(tx, viewer, messageId);
  await run(
    tx,
    sql`insert into hidden_messages (person_id, message_id, hidden_at)
        select ${me.id}, id, ${tx.now} from messages where id = ${messageId} and seq > ${conversation.joinedSeq} on conflict do nothing`,
  );
  await announce(tx, { type: "conversation.kept", conversationId: conversation.id, by: me.id });
}

/**
 * Adds a reaction; adding it twice counts once.
 * @throws `not-found`, `not-allowed`, `too-many` above fifty in a day
 */
export async function reactToMessage(tx: Tx, viewer: Viewer, input: z.output<typeof MessageReaction>): Promise<void> {
  await alone(tx, signedIn(viewer));
  const { me, conversation, message } = await reacting(tx, viewer, input);
  const left = await run(
    tx,
    sql`insert into message_reactions (message_id, person_id, emoji, created_at) values (${message.id}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing`,
  );
  if (left === 0) return;
  await assertMayHaveReacted(tx, me);
  await announce(tx, { type: "message.reacted", ...namesOf(conversation, message), emoji: input.emoji, by: me.id });
}

export async function unreactToMessage(tx: Tx, viewer: Viewer, input: z.output<typeof MessageReaction>): Promise<void> {
  const { me, conversation, message } = await reacting(tx, viewer, input);
  const gone = await run(
    tx,
    sql`delete from message_reactions where message_id = ${message.id} and person_id = ${me.id} and emoji = ${input.emoji}`,
  );
  if (gone > 0) await announce(tx, { type: "message.unreacted", ...namesOf(conversation, message), emoji: input.emoji, by: me.id });
}

async function reacting(tx: Tx, viewer: Viewer, input: Wanted) {
  const found = await at(tx, viewer, input);
  if (!conversationRules.react(found.me, found.conversation, found.message))
    throw new Refusal("not-allowed", "You cannot react to this message.");
  return found;
}

/** The message and its conversation, locked. */
async function at(tx: Tx, viewer: Viewer, { messageId }: Wanted) {
  const { me, conversation } = await placeOf(tx, viewer, messageId);
  return { me, conversation, message: await messageIn(tx, me, conversation, messageId) };
}

async function placeOf(tx: Tx, viewer: Viewer, messageId: string) {
  const me = signedIn(viewer);
  const place = isId(messageId)
    ? await maybeOne(tx, sql<{ id: string }>`select conversation_id as id from messages where id = ${messageId}`)
    : undefined;
  if (!place) throw notFound();
  return { me, conversation: await conversationToChange(tx, me, place.id) };
}

const namesOf = (conversation: { id: string }, { id, seq }: { id: string; seq: number }) => ({
  conversationId: conversation.id,
  messageId: id,
  seq,
});

const tooLate = () => new Refusal("not-allowed", "A message can be changed or taken back by who wrote it, within ten minutes.");
