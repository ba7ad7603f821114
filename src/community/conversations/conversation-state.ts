import { one, sql, type Tx } from "#platform/database";
import { emitInStatement, publishAfterCommit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { conversationRules, type SignedIn, type Viewer } from "#community/rules";
import { getConversationForUpdate } from "./conversation.ts";
import { type ConversationForUpdate } from "./conversation-columns.ts";

type ConversationInput = { conversationId: string };

/**
 * Accepts a request. Like all commands here, it refuses people who are not participants.
 * @throws `not-found`
 */
export async function acceptConversation(tx: Tx, viewer: Viewer, input: ConversationInput): Promise<void> {
  const { me, conversation } = await getOwnConversation(tx, viewer, input);
  if (conversation.viewerState !== "request") throw notFound();
  await updateParticipant(tx, me, conversation, "conversation.accepted", sql`state = 'accepted'`);
}

/** Deletes a request for the viewer; its sender is not notified. */
export async function deleteRequest(tx: Tx, viewer: Viewer, input: ConversationInput): Promise<void> {
  const { me, conversation } = await getOwnConversation(tx, viewer, input);
  if (conversation.viewerState !== "request") throw notFound();
  await updateParticipant(tx, me, conversation, "conversation.participant_changed", sql`state = 'deleted'`);
}

/** Stores the read position, which never moves back. */
export async function markConversationRead(
  tx: Tx,
  viewer: Viewer,
  input: ConversationInput & { upTo: number },
): Promise<void> {
  const { me, conversation } = await getOwnConversation(tx, viewer, input);
  const upTo = Math.min(
    conversationRules.readsUpTo(conversation, conversation.lastSeq),
    Math.max(0, Math.trunc(input.upTo) || 0),
  );
  // Reading a request does not accept it. `seen_seq` stays, so that the sender gets no read receipt.
  if (upTo <= conversation.readUpTo) return;
  const seen =
    conversation.viewerState === "accepted" ? sql`, seen_seq = greatest(seen_seq, ${upTo}::integer)` : sql``;
  await updateParticipant(tx, me, conversation, "conversation.read", sql`last_read_seq = ${upTo} ${seen}`);
}

/** Archives a conversation until the next message, or unarchives it. */
export async function archiveConversation(
  tx: Tx,
  viewer: Viewer,
  input: ConversationInput & { archived: boolean },
): Promise<void> {
  const { me, conversation } = await getOwnConversation(tx, viewer, input);
  await updateParticipant(
    tx,
    me,
    conversation,
    "conversation.participant_changed",
    sql`archived_at = ${input.archived ? tx.now : null}`,
  );
}

/**
 * Mutes a conversation until a time: the conversation does not count as unread and stays archived. Null
 * unmutes it.
 * @throws `invalid` for a past time
 */
export async function muteConversation(
  tx: Tx,
  viewer: Viewer,
  input: ConversationInput & { until: Date | null },
): Promise<void> {
  const { me, conversation } = await getOwnConversation(tx, viewer, input);
  if (input.until !== null && input.until <= tx.now) throw invalid("until", "That time is in the past.");
  await updateParticipant(
    tx,
    me,
    conversation,
    "conversation.participant_changed",
    sql`muted_until = ${input.until}`,
  );
}

/**
 * Marks the last message from another person as unread. Read receipts do not change.
 * @throws `conflict` if no one else has written
 */
export async function markConversationUnread(
  tx: Tx,
  viewer: Viewer,
  input: ConversationInput,
): Promise<void> {
  const { me, conversation } = await getOwnConversation(tx, viewer, input);
  const latest = await one(
    tx,
    sql<{ seq: number | null }>`
      select max(seq) as seq from messages
      where conversation_id = ${conversation.id} and seq > ${conversation.joinedSeq}
        and author_id <> ${me.id}`,
  );
  if (latest.seq === null) throw new Refusal("conflict", "There is no message from anyone else.");
  await updateParticipant(
    tx,
    me,
    conversation,
    "conversation.participant_changed",
    sql`last_read_seq = least(last_read_seq, ${latest.seq - 1}::integer)`,
  );
}

async function getOwnConversation(tx: Tx, viewer: Viewer, input: ConversationInput) {
  const me = requireSignedIn(viewer);
  return { me, conversation: await getConversationForUpdate(tx, me, input.conversationId) };
}

/** Updates the viewer's participant row and emits the domain event in one statement. */
async function updateParticipant(
  tx: Tx,
  me: SignedIn,
  conversation: ConversationForUpdate,
  type: string,
  change: ReturnType<typeof sql>,
): Promise<void> {
  const domainEvent = { type, conversationId: conversation.id, by: me.id };
  const { id } = await one(
    tx,
    sql<{ id: string }>`
      with own as (
        update participants set ${change}
        where conversation_id = ${conversation.id} and person_id = ${me.id} returning person_id)
      ${emitInStatement(tx, domainEvent, "own")}`,
  );
  publishAfterCommit(tx, domainEvent, id);
}
