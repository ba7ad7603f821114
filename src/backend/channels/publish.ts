import { DAY, HOUR, later } from "#platform/clock";
import { type Db, run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { assertChannel, type Channels, makeChannel, type Publisher } from "./channels.ts";
import { isForDevices, isHeard, toDevices } from "./devices.ts";
import { type Message, messageAt, type Publishing } from "./message.ts";
import { schedule } from "./schedule.ts";
import type { MessageInfo } from "./status.ts";

/** The furthest that anybody schedules. */
const FURTHEST = 366 * DAY;

/**
 * Publishes a message: at once, or, with a moment that is to come or a repetition, when it is due. A moment that is past is now. Throws
 * `invalid` and `not-allowed` for the channel, `invalid` for a moment that is too far away, `too-large` where there is no room for the
 * channel or for one more scheduled message.
 */
export async function publish(channels: Channels, by: Publisher, channel: string, said: Publishing): Promise<MessageInfo> {
  assertChannel(channel);
  const now = channels.world.now();
  for (const name of ["publishAt", "repeatExpiresAt"] as const)
    if (said[name] > now.getTime() + FURTHEST) throw new Refusal("invalid", `${name}: is a moment within a year`, { kind: "bad-body" });
  if (said.repeatEvery === 0 && said.publishAt <= now.getTime()) return publishNow(channels, channel, said, now);
  const messageId = await schedule(channels, by, channel, said);
  return { messageId, status: "scheduled", errorMessage: null };
}

async function publishNow(channels: Channels, channel: string, said: Publishing, at: Date): Promise<MessageInfo> {
  const message = messageAt(channels.world.newId(), at, said);
  // Within the transaction it would be made on a second line: as many as there are of those would wait for each other.
  if (isForDevices(said)) await makeChannel(channels, channel);
  const error = isForDevices(said)
    ? await channels.inTransaction(async (tx) => {
        const fault = await toDevices(channels, tx, { channel, message }, said);
        await note(channels, tx, channel, message, fault);
        return fault;
      })
    : await note(channels, channels.db, channel, message, null);
  if (isHeard(said)) for (const hear of channels.listeners) hear({ channel, message });
  // What went out is called scheduled in the answer: clients expect that word.
  return { messageId: message.messageId, status: error !== null && !isHeard(said) ? "failed" : "scheduled", errorMessage: error };
}

/** Writes down that it was published, and when its channel was last used. */
async function note(channels: Channels, db: Db, channel: string, message: Message, error: string | null): Promise<string | null> {
  if ((await written(db, channel, message, error)) > 0) return error;
  await makeChannel(channels, channel);
  await written(db, channel, message, error);
  return error;
}

/** One statement, that writes nothing where there is no such channel. That a channel is used is noted once an hour: for most messages nothing waits for the disk. */
const written = (db: Db, channel: string, message: Message, error: string | null) => {
  const at = new Date(message.timestamp);
  return run(
    db,
    sql`
      with used as (update channels set used_at = ${at} where name = ${channel} and used_at < ${later(at, -HOUR)})
      insert into published_messages (id, channel, error, failed, at)
      select ${message.messageId}, ${channel}, ${error}, ${error !== null && !isHeard(message)}, ${at}
      where exists (select from channels where name = ${channel})`,
  );
};
