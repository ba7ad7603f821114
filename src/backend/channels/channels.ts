import { DAY, HOUR, later } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { Room } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import type { Published, Publishing } from "./message.ts";

const LONGEST_NAME = 100;
const MOST = 10_000;
const PAGE = 100;
/** Path segments under `/messaging` that cannot be channel names. */
const WORDS = new Set(["push", "email", "registrations", "channels", "pushtemplates"]);
/** Channels of the community, on which API clients cannot publish. */
const OWN = /^(discussion|conversation|user):/;
/** Channels without a message for this long are deleted; messages are deleted sooner. */
const UNUSED = 90 * DAY;
const KNOWN = DAY;

/**
 * Queues a message for devices within the publishing transaction, so that its job is stored with it. Returns
 * a sentence about what was not possible, or null.
 */
export type Push = (tx: Tx, pushed: Published & { said: Publishing }) => Promise<string | null>;

export type Channels = Pick<Database, "db" | "world" | "inTransaction"> & {
  room: Room;
  push: Push | null;
  /** Called in this process for each message that is published at once. */
  listeners: Set<(published: Published) => void>;
  /** Called for each moment at which something will be due. */
  planners: Set<(due: Date) => void>;
};

/**
 * The publisher: a person, or an anonymous client. `trusted` may also cancel messages that others scheduled.
 */
export type Publisher = { personId: string | null; trusted: boolean };

/**
 * Channels on which API clients publish messages, at once or at a given moment. Without `push` no device is
 * notified.
 */
export function openChannels({ db, world, inTransaction }: Pick<Database, "db" | "world" | "inTransaction">, push: Push | null): Channels {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from channels`);
    return found!.n < MOST;
  });
  return { db, world, inTransaction, room, push, listeners: new Set(), planners: new Set() };
}

/** Whether a channel belongs to the community. */
export const isOwn = (name: string): boolean => OWN.test(name);

/** @throws `invalid` for an invalid channel name, `not-allowed` for a channel of the community */
export function assertChannel(name: string): void {
  const wrong = (sentence: string) => new Refusal("invalid", sentence, { kind: "bad-channel" });
  if (name === "" || name.length > LONGEST_NAME) throw wrong(`The name of a channel has 1 to ${LONGEST_NAME} characters.`);
  if (name.includes("/")) throw wrong("Channel Name can not contain slash chars");
  // oxlint-disable-next-line no-control-regex -- what cannot be seen cannot be told apart
  if (/[\u0000-\u001f\u007f]/.test(name)) throw wrong("The name of a channel has no control characters.");
  if (WORDS.has(name)) throw wrong(`No channel can be called ${name}: it is a word of this API.`);
  if (isOwn(name)) throw new Refusal("not-allowed", "This channel is the community's own.");
}

/**
 * Creates a channel on first use.
 * @throws `too-large` when there are too many channels
 */
export async function makeChannel({ db, room, world }: Channels, name: string): Promise<void> {
  if (!(await room.left()) && !(await maybeOne(db, sql`select 1 from channels where name = ${name}`)))
    throw new Refusal("too-large", `There are ${MOST} channels, as many as can be.`);
  const now = world.now();
  await run(db, sql`insert into channels (name, created_at, used_at) values (${name}, ${now}, ${now}) on conflict do nothing`);
}

/**
 * Deletes a channel and cancels its scheduled messages. Listeners stay connected: the channel is created
 * again on its next use.
 * @throws `not-found`, `conflict` while others have messages scheduled there
 */
export async function deleteChannel(channels: Channels, by: Publisher, name: string): Promise<void> {
  assertChannel(name);
  await channels.inTransaction(async (tx) => {
    if ((await run(tx, sql`delete from channels where name = ${name}`)) === 0) throw new Refusal("not-found", "There is no such channel.");
    const waiting = await many(
      tx,
      sql<{ personId: string | null }>`
        update scheduled_messages set state = 'cancelled', due_at = null, ended_at = ${tx.now}
        where channel = ${name} and due_at is not null returning person_id as "personId"`,
    );
    if (!by.trusted && waiting.some(({ personId }) => personId !== by.personId))
      throw new Refusal("conflict", "Others have scheduled messages for this channel.");
  });
}

export type ChannelLine = { name: string; createdAt: Date; usedAt: Date; waiting: number };

/** Lists channels by name, page by page, with the number of their scheduled messages. */
export async function listChannels({ db }: Pick<Channels, "db">, after: string): Promise<{ rows: ChannelLine[]; next: string | null }> {
  const rows = await many(
    db,
    sql<ChannelLine>`
      select c.name, c.created_at as "createdAt", c.used_at as "usedAt",
        (select count(*)::int from scheduled_messages s where s.channel = c.name and s.due_at is not null) as waiting
      from channels c where c.name > ${after} order by c.name ${limit(PAGE + 1)}`,
  );
  return { rows: rows.slice(0, PAGE), next: rows.length > PAGE ? rows[PAGE - 1]!.name : null };
}

/** Deletes old messages and unused channels. */
export async function purgeChannels(tx: Tx): Promise<void> {
  await run(tx, sql`delete from published_messages where at < ${later(tx.now, -KNOWN)}`);
  await run(tx, sql`delete from scheduled_messages where ended_at < ${later(tx.now, -7 * DAY)}`);
  await run(
    tx,
    sql`delete from channels c where used_at < ${later(tx.now, -UNUSED)}
        and not exists (select from scheduled_messages s where s.channel = c.name and s.due_at is not null)`,
  );
  // Repeated messages emit an event each time, every second perhaps; kept for a week like others they would
  // pile up.
  await run(
    tx,
    sql`delete from outbox o where type = 'channel.published' and handled_at < ${later(tx.now, -HOUR)}
        and not exists (select from outbox_failures f where f.outbox_id = o.id)`,
  );
}
