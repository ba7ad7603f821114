import { maybeOne, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { Messaging, Publisher } from "./channels.ts";

export type MessageInfo = {
  messageId: string;
  status: "scheduled" | "published" | "cancelled" | "failed";
  errorMessage: string | null;
};

/**
 * Returns the status of a message.
 * @throws `not-found` for an unknown message, or one published more than a day ago
 */
export async function getMessageStatus(
  { db }: Pick<Messaging, "db">,
  messageId: string,
): Promise<MessageInfo> {
  const found = isId(messageId)
    ? await maybeOne(
        db,
        sql<MessageInfo>`
          select id as "messageId", state as status, error as "errorMessage" from scheduled_messages
          where id = ${messageId}
          union all
          select id, case when failed then 'failed' else 'published' end, error from published_messages
          where id = ${messageId}`,
      )
    : undefined;
  if (!found) throw new Refusal("not-found", "There is no such message, or its status is no longer stored.");
  return found;
}

/**
 * Cancels a scheduled message and returns its status, `published` if it was already sent. A person cancels
 * their own, `trusted` cancels any, and anonymous messages can be cancelled by anyone who knows the id.
 * @throws `not-found`, `not-allowed`
 */
export async function cancelMessage(
  channels: Messaging,
  by: Publisher,
  messageId: string,
): Promise<MessageInfo> {
  if (!isId(messageId)) return getMessageStatus(channels, messageId);
  const { db, runtime } = channels;
  const messageInfo = await maybeOne(
    db,
    sql<MessageInfo>`
      update scheduled_messages set state = 'cancelled', due_at = null, ended_at = ${runtime.now()}
      where id = ${messageId} and due_at is not null
        and (${by.trusted} or person_id is null or person_id = ${by.personId})
      returning id as "messageId", state as status, error as "errorMessage"`,
  );
  if (messageInfo) return messageInfo;
  const left = await getMessageStatus(channels, messageId);
  if (left.status === "scheduled")
    throw new Refusal("not-allowed", "Only the user who scheduled a message can cancel it.");
  return left;
}

/** Cancels all scheduled messages of a person, for example one who may no longer post. Returns how many. */
export const cancelScheduledMessages = (
  { db, runtime }: Pick<Messaging, "db" | "runtime">,
  personId: string,
): Promise<number> =>
  run(
    db,
    sql`update scheduled_messages set state = 'cancelled', due_at = null, ended_at = ${runtime.now()}
      where person_id = ${personId} and due_at is not null`,
  );
