import { run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { signedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { type Conversation, conversationToChange } from "./conversation.ts";

type Wanted = { conversationId: string };

/** Takes a request into the inbox. All of these throw `not-found` for who is not in the conversation. */
export async function acceptConversation(tx: Tx, viewer: Viewer, input: Wanted): Promise<void> {
  const { me, conversation } = await at(tx, viewer, input);
  if (conversation.viewerState !== "request") throw notFound();
  await keep(tx, me, conversation, sql`state = 'accepted'`);
  await announce(tx, { type: "conversation.accepted", conversationId: conversation.id, by: me.id });
}

/** A request is gone for the viewer; who wrote it is not told. */
export async function deleteRequest(tx: Tx, viewer: Viewer, input: Wanted): Promise<void> {
  const { me, conversation } = await at(tx, viewer, input);
  if (conversation.viewerState !== "request") throw notFound();
  await keep(tx, me, conversation, sql`state = 'deleted'`);
  await announce(tx, { type: "conversation.kept", conversationId: conversation.id, by: me.id });
}

/** Remembers how far the viewer has read; it never goes back by this. */
export async function markConversationRead(tx: Tx, viewer: Viewer, input: Wanted & { upTo: number }): Promise<void> {
  const { me, conversation } = await at(tx, viewer, input);
  const upTo = Math.min(conversation.lastSeq, Math.max(0, Math.trunc(input.upTo) || 0));
  // Looking at a request is not answering it: its sender must not learn of it.
  if (upTo <= conversation.readUpTo) return;
  await keep(tx, me, conversation, sql`last_read_seq = ${upTo}`);
  await announce(tx, { type: "conversation.read", conversationId: conversation.id, by: me.id });
}

export async function archiveConversation(tx: Tx, viewer: Viewer, input: Wanted & { archived: boolean }): Promise<void> {
  const { me, conversation } = await at(tx, viewer, input);
  await keep(tx, me, conversation, sql`archived_at = ${input.archived ? tx.now : null}`);
  await announce(tx, { type: "conversation.kept", conversationId: conversation.id, by: me.id });
}

/** Until then it counts nowhere and stays archived; null makes it loud again. */
export async function muteConversation(tx: Tx, viewer: Viewer, input: Wanted & { until: Date | null }): Promise<void> {
  const { me, conversation } = await at(tx, viewer, input);
  await keep(tx, me, conversation, sql`muted_until = ${input.until}`);
  await announce(tx, { type: "conversation.kept", conversationId: conversation.id, by: me.id });
}

/** Quietly. `conflict` for a direct conversation, which is archived instead. */
export async function leaveConversation(tx: Tx, viewer: Viewer, input: Wanted): Promise<void> {
  const { me, conversation } = await at(tx, viewer, input);
  if (conversation.kind === "direct") throw new Refusal("conflict", "A conversation of two cannot be left. You can archive it.");
  await keep(tx, me, conversation, sql`state = 'left'`);
  await announce(tx, { type: "conversation.left", conversationId: conversation.id, by: me.id });
}

async function at(tx: Tx, viewer: Viewer, input: Wanted) {
  const me = signedIn(viewer);
  return { me, conversation: await conversationToChange(tx, me, input.conversationId) };
}

const keep = (tx: Tx, me: SignedIn, conversation: Conversation, change: ReturnType<typeof sql>) =>
  run(tx, sql`update participants set ${change} where conversation_id = ${conversation.id} and person_id = ${me.id}`);
