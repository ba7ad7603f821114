import { DAY, HOUR, later, SECOND } from "#platform/clock";
import { limit, one, run, sql, type Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import { isStaff, LIMITS, type SignedIn } from "#community/rules";
import { writingIsLimited } from "#community/settings";
import type { ConversationToChange } from "./conversation.ts";

// How fast and how much one person writes (product rules, 4.9). An admin may lift it; staff are not held up.

const { message: MESSAGE, reactions: REACTIONS } = LIMITS.pace;

/**
 * What a message brings that was sent before under its client id, `same` unless it says something else now, and how much somebody
 * has said within the last seconds.
 */
export type Sent = { id: string | null; seq: number | null; conversationId: string | null; same: boolean; lately: number };

export const sentBefore = (tx: Tx, me: SignedIn, { clientId, body }: { clientId?: string | undefined; body: string }) => sql<Sent>`
  select m.id, m.seq, m.conversation_id as "conversationId", m.body_md = ${body} is true as same,
    case when ${writingIsLimited} then (select count(*)::int from (select from messages where author_id = ${me.id} and created_at > ${later(tx.now, -MESSAGE.seconds * SECOND)} ${limit(MESSAGE.burst)}) few) else 0 end as lately
  from (select) once left join messages m on m.author_id = ${me.id} and m.client_id = ${clientId ?? null}::uuid`;

/** Refuses, as `too-many`, more than ten messages in ten seconds. */
export function mindPace(me: SignedIn, { lately }: Sent): void {
  if (!isStaff(me) && lately >= MESSAGE.burst)
    throw new Refusal("too-many", "That was quick. Wait a few seconds, then send it again.", { retryAfter: MESSAGE.seconds });
}

/** Refuses, as `invalid` on `body`, a long text as the message number `seq` while nobody has accepted yet, or where it is the one that somebody reads who has not. */
export function mindFirstLength({ waiting, askedAfter, viewerState, kind }: ConversationToChange, seq: number, body: string): void {
  if (body.length <= LIMITS.conversation.request) return;
  if (waiting && viewerState === "accepted") throw invalid("body", "A first message can have 1,000 characters at most.");
  if (kind === "group" && askedAfter.includes(seq - 1))
    throw invalid("body", "This is the message by which somebody decides whether they come in: it can have 1,000 characters at most.");
}

/**
 * One after the other for one person, so that two at once, in whichever conversations, are counted as two. Their turn comes before the
 * conversation's: who had the one and waited for the other could wait for ever.
 */
export const alone = (tx: Tx, me: SignedIn) => run(tx, turnOf(me));
/** The same as a statement among others: what counts comes after it. */
export const turnOf = (me: SignedIn) => sql`select pg_advisory_xact_lock(hashtextextended('pace:' || ${me.id}::text, 0))`;

/** Refuses, as `too-many`, a conversation beyond the twenty that somebody has begun within a day. */
export async function assertMayBegin(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  await alone(tx, me);
  const begun = sql`from conversations where creator_id = ${me.id} and created_at > ${later(tx.now, -DAY)}`;
  if ((await counted(tx, begun, MESSAGE.newConversations)) >= MESSAGE.newConversations)
    throw new Refusal("too-many", "Twenty new conversations in a day are enough. Come back tomorrow.");
}

/** Refuses, as `too-many`, a change of who is in a conversation or of its name beyond sixty in an hour: each is told to all who are in it. */
export async function assertMayShapeNow(tx: Tx, me: SignedIn, { id }: Pick<ConversationToChange, "id">, changes: number): Promise<void> {
  const most = LIMITS.conversation.shapedInAnHour;
  const lines = sql`from conversation_lines where conversation_id = ${id} and at > ${later(tx.now, -HOUR)}`;
  if (!isStaff(me) && (await counted(tx, lines, most)) + changes > most)
    throw new Refusal("too-many", "This conversation has been changed so often that it should rest for an hour.");
}

/** Lets a reaction pass that has just been left, or refuses it as `too-many`: fifty in a day. */
export async function assertMayHaveReacted(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  const left = sql`from message_reactions where person_id = ${me.id} and created_at > ${later(tx.now, -DAY)}`;
  if ((await counted(tx, left, REACTIONS.day + 1)) > REACTIONS.day)
    throw new Refusal("too-many", "Fifty reactions in a day are enough. Come back tomorrow.");
}

async function counted(tx: Tx, from: ReturnType<typeof sql>, most: number): Promise<number> {
  const question = sql<{
    count: number;
  }>`select case when ${writingIsLimited} then (select count(*)::int from (select ${from} ${limit(most)}) few) else 0 end as count`;
  return (await one(tx, question)).count;
}
