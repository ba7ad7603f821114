import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { PublishedMessage, PublishInput } from "./channel-message.ts";

const MAX_NAME_LENGTH = 100;
const MAX_CHANNELS = 10_000;
const PAGE_SIZE = 100;
/** Path segments under `/messaging` that cannot be channel names. */
const RESERVED_NAMES = new Set(["push", "email", "registrations", "channels", "pushtemplates"]);
/** Channels that belong to the community. API clients cannot publish on them. */
const COMMUNITY_CHANNEL = /^(discussion|conversation|user):/;
/** Milliseconds without a message after which a channel is deleted; its messages are deleted sooner. */
const UNUSED_CHANNEL_AGE = 90 * DAY;
const MESSAGE_RETENTION = DAY;

/**
 * Queues a message for devices in the publishing transaction, so that its job is stored with it. Returns an
 * error message for the publisher if a push is not possible, null otherwise.
 */
export type PushMessage = (
  tx: Tx,
  pushed: PublishedMessage & { input: PublishInput },
) => Promise<string | null>;

export type Messaging = Pick<Database, "db" | "runtime" | "inTransaction"> & {
  quota: CachedQuota;
  push: PushMessage | null;
  /** Called in this process for each message that is published at once. */
  listeners: Set<(published: PublishedMessage) => void>;
  /** Called with each time at which a message becomes due. */
  planners: Set<(due: Date) => void>;
};

/**
 * The publisher: a person, or an anonymous client. `trusted` may also cancel messages that others scheduled.
 */
export type Publisher = { personId: string | null; trusted: boolean };

/**
 * Creates the context of channels, on which API clients publish messages, at once or at a given time. Without `push` no
 * message is sent to devices.
 */
export function createMessagingContext(
  { db, runtime, inTransaction }: Pick<Database, "db" | "runtime" | "inTransaction">,
  push: PushMessage | null,
): Messaging {
  const quota = new CachedQuota(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from channels`);
    return found!.n < MAX_CHANNELS;
  });
  return { db, runtime, inTransaction, quota, push, listeners: new Set(), planners: new Set() };
}

/** Whether a channel belongs to the community. */
export const isCommunityChannel = (name: string): boolean => COMMUNITY_CHANNEL.test(name);

/**
 * Checks the name of a channel.
 * @throws `invalid` for an invalid name, `not-allowed` for a channel of the community
 */
export function assertChannel(name: string): void {
  const wrong = (message: Message) => new Refusal("invalid", message, { kind: "bad-channel" });
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw wrong(msg("A channel name must have 1 to {count} characters.", { count: MAX_NAME_LENGTH }));
  if (name.includes("/")) throw wrong("Channel Name can not contain slash chars");
  // oxlint-disable-next-line no-control-regex -- the pattern finds control characters to refuse them
  if (/[\u0000-\u001f\u007f]/.test(name)) throw wrong("A channel name cannot contain control characters.");
  if (RESERVED_NAMES.has(name))
    throw wrong(msg("A channel cannot be called {name}: the API uses this name.", { name }));
  if (isCommunityChannel(name)) throw new Refusal("not-allowed", "This channel belongs to the community.");
}

/**
 * Creates a channel when it is first used.
 * @throws `too-large` when there are too many channels
 */
export async function ensureChannel({ db, quota, runtime }: Messaging, name: string): Promise<void> {
  if (!(await quota.left()) && !(await maybeOne(db, sql`select 1 from channels where name = ${name}`)))
    throw new Refusal("too-large", msg("There are {count} channels, the maximum.", { count: MAX_CHANNELS }));
  const now = runtime.now();
  await run(
    db,
    sql`insert into channels (name, created_at, used_at) values (${name}, ${now}, ${now})
      on conflict do nothing`,
  );
}

/**
 * Deletes a channel and cancels its scheduled messages. Listeners stay connected, and the channel is created
 * again when it is next used.
 * @throws `not-found`, `conflict` while other publishers have messages scheduled on it
 */
export async function deleteChannel(channels: Messaging, by: Publisher, name: string): Promise<void> {
  assertChannel(name);
  await channels.inTransaction(async (tx) => {
    if ((await run(tx, sql`delete from channels where name = ${name}`)) === 0)
      throw new Refusal("not-found", "There is no such channel.");
    const waiting = await many(
      tx,
      sql<{ personId: string | null }>`
        update scheduled_messages set state = 'cancelled', due_at = null, ended_at = ${tx.now}
        where channel = ${name} and due_at is not null returning person_id as "personId"`,
    );
    if (!by.trusted && waiting.some(({ personId }) => personId !== by.personId))
      throw new Refusal("conflict", "Other users have scheduled messages for this channel.");
  });
}

export type ChannelRow = { name: string; createdAt: Date; usedAt: Date; waiting: number };

/** Lists channels by name, page by page, with the number of their scheduled messages. */
export async function listChannels(
  { db }: Pick<Messaging, "db">,
  after: string,
): Promise<{ rows: ChannelRow[]; next: string | null }> {
  const rows = await many(
    db,
    sql<ChannelRow>`
      select c.name, c.created_at as "createdAt", c.used_at as "usedAt",
        (select count(*)::int from scheduled_messages s
          where s.channel = c.name and s.due_at is not null) as waiting
      from channels c where c.name > ${after} order by c.name ${limit(PAGE_SIZE + 1)}`,
  );
  return { rows: rows.slice(0, PAGE_SIZE), next: rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1]!.name : null };
}

/** Deletes old messages and unused channels. */
export async function purgeChannels(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`delete from published_messages where at < ${addMilliseconds(tx.now, -MESSAGE_RETENTION)}`,
  );
  await run(tx, sql`delete from scheduled_messages where ended_at < ${addMilliseconds(tx.now, -7 * DAY)}`);
  await run(
    tx,
    sql`delete from channels c where used_at < ${addMilliseconds(tx.now, -UNUSED_CHANNEL_AGE)}
        and not exists (select from scheduled_messages s where s.channel = c.name and s.due_at is not null)`,
  );
  // A repeated message emits an event each time, possibly every second. These events are deleted after an
  // hour; other events are stored for a week.
  await run(
    tx,
    sql`delete from outbox o where type = 'channel.published'
      and handled_at < ${addMilliseconds(tx.now, -HOUR)}
        and not exists (select from outbox_failures f where f.outbox_id = o.id)`,
  );
}
