import { lastly, maybeOne, one, run, sql, together, type Tx } from "#platform/database";
import { announced, announcing, type Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { dropSent } from "#community/common";
import { mutes, signedIn, type Tie } from "#community/friends";
import { conversationRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { type ConversationToChange, seen, selectToChange } from "./conversation.ts";
import type { NewConversation, NewMessage } from "./forms.ts";
import { pairOf } from "./inbox.ts";
import { messageIn } from "./messages.ts";
import { assertMayBegin, mindFirstLength, mindPace, sentBefore, turnOf } from "./pace.ts";
import { keepMessageUploads, renderMessage } from "./pictures.ts";
import { doesNotFit, mindPolicy, peopleToWrite } from "./reaching.ts";

/**
 * Writes to one person, in the one conversation that the two have, or opens one with several. Friends have it in
 * their inbox at once, others as a request. Throws `invalid` on `to` for unknown names, `not-allowed` where somebody
 * takes no messages from the viewer, and what `sendMessage` throws.
 */
export async function startConversation(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewConversation>,
): Promise<{ id: string; seq: number }> {
  const me = signedIn(viewer);
  const ties = await peopleToWrite(tx, me, input.to);
  const tooMany = ties[LIMITS.conversation.people - 1];
  if (tooMany) throw doesNotFit(tooMany.name);
  const id = ties.length === 1 ? await directWith(tx, me, ties[0]!) : await groupOf(tx, me, ties, input);
  const { seq } = await sendMessage(tx, me, { conversationId: id, body: input.body, clientId: input.clientId });
  await run(tx, dropSent(me.id, "new:conversation", input));
  return { id, seq };
}

/** The conversation of two, made now if there is none. What they said before stays readable by both. */
async function directWith(tx: Tx, me: SignedIn, tie: Tie): Promise<string> {
  const pair = pairOf(sql`${me.id}::uuid`, sql`${tie.id}::uuid`);
  const open = await maybeOne(
    tx,
    sql<{ id: string }>`
      select c.id from conversations c join participants p on p.conversation_id = c.id and p.person_id = ${me.id} and p.state in ('accepted', 'request')
      where c.pair = ${pair}`,
  );
  if (open) return open.id;
  mindPolicy(me, tie);
  await assertMayBegin(tx, me);
  const made = await one(
    tx,
    sql<{ id: string; now: boolean }>`
      insert into conversations (id, kind, creator_id, pair, last_message_at, created_at) values (${tx.newId()}, 'direct', ${me.id}, ${pair}, ${tx.now}, ${tx.now})
      on conflict (pair) do update set pair = excluded.pair returning id, xmax = 0 as now`,
  );
  await enter(tx, made.id, me.id, "accepted");
  if (made.now) await enter(tx, made.id, tie.id, tie.isFriend ? "accepted" : "request");
  return made.id;
}

const enter = (tx: Tx, conversationId: string, personId: string, state: "accepted" | "request") =>
  run(
    tx,
    sql`insert into participants (conversation_id, person_id, state, joined_at) values (${conversationId}, ${personId}, ${state}, ${tx.now})
        on conflict (conversation_id, person_id) do update set state = excluded.state, archived_at = null`,
  );

async function groupOf(tx: Tx, me: SignedIn, ties: Tie[], input: z.output<typeof NewConversation>): Promise<string> {
  for (const tie of ties) mindPolicy(me, tie);
  const already = await sentAlready(tx, me, input);
  if (already) return already.conversationId;
  await assertMayBegin(tx, me);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into conversations (id, kind, name, creator_id, last_message_at, created_at) values (${id}, 'group', ${input.name}, ${me.id}, ${tx.now}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into participants (conversation_id, person_id, state, joined_at)
        select ${id}, person_id, state, ${tx.now} from unnest(${[me.id, ...ties.map((tie) => tie.id)]}::uuid[], ${["accepted", ...ties.map((tie) => (tie.isFriend ? "accepted" : "request"))]}::text[]) as t (person_id, state)`,
  );
  return id;
}

/** Two sends of one submission wait for each other here, so that the second finds what the first has stored. */
async function sentAlready(tx: Tx, me: SignedIn, { clientId, body }: z.output<typeof NewConversation>) {
  if (!clientId) return undefined;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 1))`);
  return maybeOne(
    tx,
    sql<{
      conversationId: string;
    }>`select conversation_id as "conversationId" from messages where author_id = ${me.id} and client_id = ${clientId} and body_md = ${body}`,
  );
}

/**
 * Says something, perhaps as an answer to a message of it; answering a request accepts it. Sent again with the same
 * `clientId` it is stored once; with other words it is another, of a page that came back and was written in again. Throws `not-found` for who is not in it and for an answer to what is not there, `not-allowed`
 * after a block, `conflict` while a first message waits for an answer and for a `clientId` that was used elsewhere, `too-many`.
 */
export async function sendMessage(tx: Tx, viewer: Viewer, input: z.output<typeof NewMessage>): Promise<{ id: string; seq: number }> {
  const me = signedIn(viewer);
  const { conversation, before } = await beforeSending(tx, me, input);
  if (before.same && before.conversationId === conversation.id) return { id: before.id!, seq: before.seq! };
  if (before.same) throw sentElsewhere();
  if (!conversationRules.write(me, conversation)) throw new Refusal("not-allowed", "You can no longer message this person.");
  mindRequest(conversation, input.body);
  mindPace(me, before);
  // Where a block parts the two, or nothing is left to answer, it is said without saying to what.
  const answered = input.replyTo && (await messageIn(tx, me, conversation, input.replyTo)).stub === null ? input.replyTo : undefined;
  const message = { id: tx.newId(), seq: conversation.lastSeq + 1 };
  const happening = { type: "message.written", conversationId: conversation.id, messageId: message.id, seq: message.seq, by: me.id };
  const { html, uploads } = await renderMessage(tx, me, { id: message.id, body: input.body, to: conversation });
  const clientId = before.id === null ? input.clientId : undefined;
  const statement = insertMessage(tx, me, conversation, { ...input, ...message, html, clientId, replyTo: answered }, happening);
  const told = await (uploads.length === 0 ? lastly : maybeOne)(tx, statement).catch((error: unknown) => {
    throw isUsedMeanwhile(error) ? sentElsewhere() : error;
  });
  announced(tx, happening, told!.id);
  if (uploads.length > 0) await keepMessageUploads(tx, me, message.id, uploads);
  return message;
}

/** The conversation, which is locked from here on, and what the viewer has said before; it is their turn. Throws `not-found`. */
async function beforeSending(tx: Tx, me: SignedIn, input: z.output<typeof NewMessage>) {
  const [, [found], [before]] = await together(tx, turnOf(me), selectToChange(me, input.conversationId), sentBefore(tx, me, input));
  return { conversation: seen(me, found), before: before! };
}

const sentElsewhere = () => new Refusal("conflict", "This was sent before, in another conversation.");
/** Two conversations at once under one client id: their rows do not wait for each other. */
const isUsedMeanwhile = (error: unknown) =>
  typeof error === "object" && error !== null && "constraint" in error && error.constraint === "messages_once";

/** Whether the one who takes part does not want to hear from the writer: then it arrives read, and stays where it was. */
const isMuted = (writer: SignedIn) => mutes(sql`participants.person_id`, sql`${writer.id}::uuid`);

/**
 * The conversation's row is locked: the number after its last is ours. Who has archived it sees it again, but from somebody they
 * mute. Among several that reads nothing of the others for them.
 */
const insertMessage = (
  tx: Tx,
  me: SignedIn,
  conversation: ConversationToChange,
  message: z.output<typeof NewMessage> & { id: string; seq: number; html: string },
  happening: Happening,
) => sql<{ id: string }>`
  with message as (
    insert into messages (id, conversation_id, seq, author_id, body_md, body_html, client_id, reply_to, created_at)
    values (${message.id}, ${conversation.id}, ${message.seq}, ${me.id}, ${message.body}, ${message.html}, ${message.clientId ?? null}, ${message.replyTo ?? null}, ${tx.now})
    returning id),
  people as (
    update participants set archived_at = case when muted_until > ${tx.now} or ${isMuted(me)} then archived_at end,
      state = case when person_id = ${me.id} then 'accepted' else state end,
      last_read_seq = case when person_id = ${me.id} or (${isMuted(me)} and (${conversation.kind === "direct"}::boolean or last_read_seq >= ${message.seq - 1})) then ${message.seq} else last_read_seq end,
      seen_seq = case when person_id = ${me.id} then ${message.seq} else seen_seq end
    where conversation_id = ${conversation.id} and (person_id = ${me.id} or archived_at is not null or ${isMuted(me)})),
  draft as (${dropSent(me.id, `conversation:${conversation.id}`, message)}),
  latest as (update conversations set last_seq = ${message.seq}, last_message_at = ${tx.now} where id = ${conversation.id})
  ${announcing(tx, happening, "message")}`;

function mindRequest(conversation: ConversationToChange, body: string) {
  if (conversation.waiting && conversation.viewerState === "accepted" && conversation.lastSeq > 0)
    throw new Refusal("conflict", "Your first message waits for an answer. You can go on once it is accepted.");
  mindFirstLength(conversation, conversation.lastSeq + 1, body);
}
