import { DAY, HOUR, addMilliseconds, SECOND } from "#platform/clock";
import { limit, one, run, sql, type Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import { isStaff, LIMITS, type SignedIn, SERVER_LIMITS } from "#community/rules";
import { hasWritingLimits } from "#community/settings";
import type { ConversationForUpdate } from "./conversation-columns.ts";

// Rate limits of one person's messages (product rules, 4.9). An admin may lift them; staff are exempt.

const { message: MESSAGE, reactions: REACTIONS } = SERVER_LIMITS.pace;

/**
 * The message stored earlier under the same client id, and the sender's activity: `same` is true unless the
 * text differs; `lately` is the number of messages in the last seconds.
 */
export type EarlierMessage = {
  id: string | null;
  seq: number | null;
  conversationId: string | null;
  same: boolean;
  lately: number;
};

export const findEarlierMessage = (
  tx: Tx,
  me: SignedIn,
  { clientId, body }: { clientId?: string | undefined; body: string },
) => sql<EarlierMessage>`
  select m.id, m.seq, m.conversation_id as "conversationId", m.body_md = ${body} is true as same,
    case when ${hasWritingLimits} then (select count(*)::int
      from (select from messages
        where author_id = ${me.id}
          and created_at > ${addMilliseconds(tx.now, -MESSAGE.seconds * SECOND)} ${limit(MESSAGE.burst)}) few)
          else 0 end as lately
  from (select) once left join messages m on m.author_id = ${me.id}
    and m.client_id = ${clientId ?? null}::uuid`;

/**
 * Refuses more than ten messages in ten seconds.
 * @throws `too-many`
 */
export function assertMessageRate(me: SignedIn, { lately }: EarlierMessage): void {
  if (!isStaff(me) && lately >= MESSAGE.burst)
    throw new Refusal("too-many", "You are sending too fast. Wait a few seconds and send it again.", {
      retryAfter: MESSAGE.seconds,
    });
}

/**
 * Limits the length of message number `seq` if it is shown with a request: while no one has accepted, or as
 * the one message that an added participant reads before accepting.
 * @throws `invalid` on `body`
 */
export function assertFirstMessageLength(
  { waiting, askedAfter, viewerState, kind }: ConversationForUpdate,
  seq: number,
  body: string,
): void {
  if (body.length <= LIMITS.conversation.request) return;
  if (waiting && viewerState === "accepted")
    throw invalid("body", "A first message can have 1,000 characters at most.");
  if (kind === "group" && askedAfter.includes(seq - 1))
    throw invalid(
      "body",
      "Added people read this message before they accept: it can have 1,000 characters at most.",
    );
}

/**
 * Serializes a person's messages, so that two concurrent messages in any conversations are both counted. The
 * lock is always taken before the lock of a conversation, to avoid deadlocks.
 */
export const lockSender = (tx: Tx, me: SignedIn) => run(tx, senderLockSql(me));
/** The sender lock as a statement for a pipeline. The counts must be read after it. */
export const senderLockSql = (me: SignedIn) =>
  sql`select pg_advisory_xact_lock(hashtextextended('pace:' || ${me.id}::text, 0))`;

/**
 * Limits new conversations to twenty a day.
 * @throws `too-many`
 */
export async function assertConversationLimit(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  await lockSender(tx, me);
  const begun = sql`from conversations
    where creator_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`;
  if ((await countRecent(tx, begun, MESSAGE.newConversations)) >= MESSAGE.newConversations)
    throw new Refusal(
      "too-many",
      "You have reached the limit of 20 new conversations a day. Come back tomorrow.",
    );
}

/**
 * Limits changes of participants and name to sixty an hour, since each notifies all participants.
 * @throws `too-many`
 */
export async function assertConversationChangeLimit(
  tx: Tx,
  me: SignedIn,
  { id }: Pick<ConversationForUpdate, "id">,
  changes: number,
): Promise<void> {
  const most = LIMITS.conversation.shapedInAnHour;
  const lines = sql`from conversation_entries
    where conversation_id = ${id} and at > ${addMilliseconds(tx.now, -HOUR)}`;
  if (!isStaff(me) && (await countRecent(tx, lines, most)) + changes > most)
    throw new Refusal("too-many", "This conversation was changed too often. Try again in an hour.");
}

/** SQL: number of the person's reactions in the last day, before this statement. */
export const recentMessageReactionCount = (tx: Tx, me: SignedIn) =>
  recentCount(
    sql`from message_reactions where person_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
    REACTIONS.day,
  );

/**
 * Refuses the fifty-first reaction in a day.
 * @throws `too-many`
 */
export function assertMessageReactionLimit(me: SignedIn, before: number): void {
  if (!isStaff(me) && before >= REACTIONS.day)
    throw new Refusal("too-many", "You have reached the limit of 50 reactions a day. Come back tomorrow.");
}

const recentCount = (from: ReturnType<typeof sql>, most: number) => sql<number>`
  case when ${hasWritingLimits} then (select count(*)::int from (select ${from} ${limit(most)}) few) else 0 end`;

const countRecent = async (tx: Tx, from: ReturnType<typeof sql>, most: number): Promise<number> =>
  (await one(tx, sql<{ count: number }>`select ${recentCount(from, most)} as count`)).count;
