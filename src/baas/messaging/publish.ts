import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { type Db, run, sql } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { assertChannel, type Messaging, ensureChannel, type Publisher } from "./channels.ts";
import { isSentToDevices, isSentToListeners, pushToDevices } from "./device-messages.ts";
import { type ChannelMessage, createMessage, type PublishInput } from "./channel-message.ts";
import { scheduleMessage } from "./message-schedule.ts";
import type { MessageInfo } from "./message-status.ts";

/** Maximum milliseconds by which a message can be scheduled ahead. */
const MAX_DELAY = 366 * DAY;

/**
 * Publishes a message at once, or schedules it if its time is in the future or it repeats. A time in the
 * past means now.
 * @throws `invalid` or `not-allowed` for the channel, `invalid` for a time too far ahead, `too-large` when
 * there are too many channels or scheduled messages
 */
export async function publish(
  channels: Messaging,
  by: Publisher,
  channel: string,
  input: PublishInput,
): Promise<MessageInfo> {
  assertChannel(channel);
  const now = channels.runtime.now();
  for (const name of ["publishAt", "repeatExpiresAt"] as const)
    if (input[name] > now.getTime() + MAX_DELAY)
      throw new Refusal(
        "invalid",
        msg("{place}: {what}", { place: name, what: msg("must be within one year") }),
        { kind: "bad-body" },
      );
  if (input.repeatEvery === 0 && input.publishAt <= now.getTime())
    return publishNow(channels, channel, input, now);
  const messageId = await scheduleMessage(channels, by, channel, input);
  return { messageId, status: "scheduled", errorMessage: null };
}

async function publishNow(
  channels: Messaging,
  channel: string,
  input: PublishInput,
  at: Date,
): Promise<MessageInfo> {
  const message = createMessage(channels.runtime.newId(), at, input);
  // The channel is created before the transaction begins: within it this would need a second connection, and
  // many such transactions would block one another.
  if (isSentToDevices(input)) await ensureChannel(channels, channel);
  const error = isSentToDevices(input)
    ? await channels.inTransaction(async (tx) => {
        const fault = await pushToDevices(channels, tx, { channel, message }, input);
        await recordPublished(channels, tx, channel, message, fault);
        return fault;
      })
    : await recordPublished(channels, channels.db, channel, message, null);
  if (isSentToListeners(input)) for (const listener of channels.listeners) listener({ channel, message });
  // The response calls a published message `scheduled`, because clients expect that value.
  return {
    messageId: message.messageId,
    status: error !== null && !isSentToListeners(input) ? "failed" : "scheduled",
    errorMessage: error,
  };
}

/** Records that a message was published, and that its channel was used. */
async function recordPublished(
  channels: Messaging,
  db: Db,
  channel: string,
  message: ChannelMessage,
  error: string | null,
): Promise<string | null> {
  if ((await insertPublished(db, channel, message, error)) > 0) return error;
  await ensureChannel(channels, channel);
  await insertPublished(db, channel, message, error);
  return error;
}

/**
 * Inserts a published message in one statement, which inserts nothing if the channel does not exist. The use
 * of a channel is recorded once an hour, so that most messages do not wait for the disk.
 */
const insertPublished = (db: Db, channel: string, message: ChannelMessage, error: string | null) => {
  const at = new Date(message.timestamp);
  return run(
    db,
    sql`
      with used as (update channels set used_at = ${at}
        where name = ${channel} and used_at < ${addMilliseconds(at, -HOUR)})
      insert into published_messages (id, channel, error, failed, at)
      select ${message.messageId}, ${channel}, ${error}, ${error !== null && !isSentToListeners(message)}, ${at}
      where exists (select from channels where name = ${channel})`,
  );
};
