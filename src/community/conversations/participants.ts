import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { conversationRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { getConversationForUpdate } from "./conversation.ts";
import { type ConversationForUpdate } from "./conversation-columns.ts";
import type { ConversationName, ParticipantAddition } from "./conversation-inputs.ts";
import { assertConversationChangeLimit } from "./message-limits.ts";
import { conversationFullRefusal, assertCanMessage, getRecipients } from "./recipients.ts";

type ConversationInput = { conversationId: string };

/**
 * Adds participants, who see later messages only. Friends are added at once; others get a request.
 * @throws `invalid` on `to` for unknown people, for people who participate already and for the first person
 * above the limit, `not-allowed` for people who accept no messages from the viewer and in a direct
 * conversation, `too-many` above sixty changes in an hour
 */
export async function addParticipants(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof ParticipantAddition>,
): Promise<void> {
  const { me, conversation } = await getChangeableConversation(tx, viewer, input);
  const ties = await getRecipients(tx, me, input.to);
  const present = await listParticipantIds(tx, conversation);
  for (const [index, relationship] of ties.entries()) {
    if (present.includes(relationship.id))
      throw invalid("to", msg("{name} is already in this conversation.", { name: relationship.name }));
    if (present.length + index >= LIMITS.conversation.people)
      throw conversationFullRefusal(relationship.name);
    assertCanMessage(me, relationship);
  }
  await assertConversationChangeLimit(tx, me, conversation, ties.length);
  for (const relationship of ties) {
    const state = relationship.isFriend ? "accepted" : "request";
    await run(
      tx,
      sql`insert into participants (conversation_id, person_id, state, last_seq, last_message_at,
            last_read_seq, joined_seq, joined_at)
          select id, ${relationship.id}, ${state}, last_seq, last_message_at, last_seq, last_seq, ${tx.now}
          from conversations where id = ${conversation.id}
          on conflict (conversation_id, person_id) do update set state = excluded.state,
            last_read_seq = excluded.last_read_seq,
            joined_seq = excluded.joined_seq, joined_at = excluded.joined_at, archived_at = null,
            muted_until = null`,
    );
    await addConversationEntry(tx, me, conversation, { kind: "added", personId: relationship.id });
    await emit(tx, {
      type: "conversation.joined",
      conversationId: conversation.id,
      personId: relationship.id,
      by: me.id,
    });
  }
}

/**
 * Removes a participant.
 * @throws `not-allowed` for all but the creator, `not-found` for people who are no participants
 */
export async function removeParticipant(
  tx: Tx,
  viewer: Viewer,
  input: ConversationInput & { personId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const conversation = await getConversationForUpdate(tx, me, input.conversationId);
  if (!conversationRules.remove(me, conversation))
    throw new Refusal("not-allowed", "Only the creator of a conversation can remove people.");
  if (
    !isId(input.personId) ||
    input.personId === me.id ||
    !(await listParticipantIds(tx, conversation)).includes(input.personId)
  )
    throw notFound();
  await markLeft(tx, conversation, input.personId);
  await addConversationEntry(tx, me, conversation, { kind: "removed", personId: input.personId });
  await emit(tx, {
    type: "conversation.removed",
    conversationId: conversation.id,
    personId: input.personId,
    by: me.id,
  });
}

/**
 * Sets or clears the name of a conversation.
 * @throws `not-found`, `not-allowed` in a direct conversation, `too-many` above sixty changes in an hour
 */
export async function renameConversation(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof ConversationName>,
): Promise<void> {
  const { me, conversation } = await getChangeableConversation(tx, viewer, input);
  if (input.name === conversation.name) return;
  await assertConversationChangeLimit(tx, me, conversation, 1);
  await run(tx, sql`update conversations set name = ${input.name} where id = ${conversation.id}`);
  await addConversationEntry(tx, me, conversation, { kind: "renamed", name: input.name });
  await emit(tx, { type: "conversation.renamed", conversationId: conversation.id, by: me.id });
}

/**
 * Leaves a conversation without a notification and without moving the conversation up in inboxes. If the
 * creator leaves, the participant who joined first becomes the creator.
 * @throws `conflict` for a direct conversation, which can be archived instead
 */
export async function leaveConversation(tx: Tx, viewer: Viewer, input: ConversationInput): Promise<void> {
  const me = requireSignedIn(viewer);
  const conversation = await getConversationForUpdate(tx, me, input.conversationId);
  if (conversation.kind === "direct")
    throw new Refusal("conflict", "You cannot leave a conversation of two. Archive it instead.");
  await markLeft(tx, conversation, me.id);
  if (conversation.mine) await assignNextCreator(tx, conversation);
  await emit(tx, { type: "conversation.left", conversationId: conversation.id, by: me.id });
}

async function assignNextCreator(tx: Tx, { id }: ConversationForUpdate) {
  const successor = await maybeOne(
    tx,
    sql<{ id: string }>`
      select o.person_id as id from participants o
      join people p on p.id = o.person_id and p.state in ('active', 'limited')
      where o.conversation_id = ${id} and o.state = 'accepted' order by o.joined_at, o.person_id limit 1`,
  );
  if (successor) await run(tx, sql`update conversations set creator_id = ${successor.id} where id = ${id}`);
}

async function getChangeableConversation(tx: Tx, viewer: Viewer, input: ConversationInput) {
  const me = requireSignedIn(viewer);
  const conversation = await getConversationForUpdate(tx, me, input.conversationId);
  if (!conversationRules.shape(me, conversation))
    throw new Refusal("not-allowed", "Only participants of a group conversation can do this.");
  return { me, conversation };
}

const listParticipantIds = async (tx: Tx, { id }: ConversationForUpdate) =>
  (
    await many(
      tx,
      sql<{
        id: string;
      }>`select person_id as id from participants
        where conversation_id = ${id} and state in ('accepted', 'request', 'deleted')`,
    )
  ).map((it) => it.id);

const markLeft = (tx: Tx, { id }: ConversationForUpdate, personId: string) =>
  run(
    tx,
    sql`update participants set state = 'left', archived_at = null
      where conversation_id = ${id} and person_id = ${personId}`,
  );

type NewEntry = { kind: "added" | "removed"; personId: string } | { kind: "renamed"; name: string };

const addConversationEntry = (tx: Tx, me: SignedIn, { id, lastSeq }: ConversationForUpdate, line: NewEntry) =>
  run(
    tx,
    sql`insert into conversation_entries (id, conversation_id, after_seq, kind, by_id, person_id, name, at)
        values (${tx.newId()}, ${id}, ${lastSeq}, ${line.kind}, ${me.id},
          ${"personId" in line ? line.personId : null}, ${"name" in line ? line.name : ""}, ${tx.now})`,
  );
