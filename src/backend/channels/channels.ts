import { DAY, HOUR, later } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { Room } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import type { Published, Publishing } from "./message.ts";

const LONGEST_NAME = 100;
const MOST = 10_000;
/** Channels of one page. */
const PAGE = 100;
/** Parts of addresses under `/messaging`, which no channel can be called. */
const WORDS = new Set(["push", "email", "registrations", "channels", "pushtemplates"]);
/** Channels of the community itself, on which programs say nothing. */
const OWN = /^(discussion|conversation|user):/;
/** Channels that nobody published on for so long are forgotten; what was published, sooner. */
const UNUSED = 90 * DAY;
const KNOWN = DAY;

/**
 * Hands a message to whatever tells devices, within the transaction that publishes it: a job beside it is stored with it. Gives what could
 * not be done, in a sentence, or null.
 */
export type Push = (tx: Tx, pushed: Published & { said: Publishing }) => Promise<string | null>;

export type Channels = Pick<Database, "db" | "world" | "inTransaction"> & {
  room: Room;
  push: Push | null;
  /** Told in this process of each message as it is published at once. */
  listeners: Set<(published: Published) => void>;
  /** Told of each moment at which something is due. */
  planners: Set<(due: Date) => void>;
};

/** Who publishes: a person, or a program that nobody is signed in with. `trusted` takes back what others have scheduled, too. */
export type Publisher = { personId: string | null; trusted: boolean };

/** Channels on which programs tell each other something, now or at a moment. Without `push` no device hears of it. */
export function openChannels({ db, world, inTransaction }: Pick<Database, "db" | "world" | "inTransaction">, push: Push | null): Channels {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from channels`);
    return found!.n < MOST;
  });
  return { db, world, inTransaction, room, push, listeners: new Set(), planners: new Set() };
}

/** Whether a channel is the community's own. */
export const isOwn = (name: string): boolean => OWN.test(name);

/** Throws `invalid` for what no channel can be called, `not-allowed` for a channel of the community. */
export function assertChannel(name: string): void {
  const wrong = (sentence: string) => new Refusal("invalid", sentence, { kind: "bad-channel" });
  if (name === "" || name.length > LONGEST_NAME) throw wrong(`The name of a channel has 1 to ${LONGEST_NAME} characters.`);
  if (name.includes("/")) throw wrong("Channel Name can not contain slash chars");
  // oxlint-disable-next-line no-control-regex -- what cannot be seen cannot be told apart
  if (/[\u0000-\u001f\u007f]/.test(name)) throw wrong("The name of a channel has no control characters.");
  if (WORDS.has(name)) throw wrong(`No channel can be called ${name}: it is a word of this API.`);
  if (isOwn(name)) throw new Refusal("not-allowed", "This channel is the community's own.");
}

/** Makes a channel on its first use. Throws `too-large` where there is no room for a new one. */
export async function makeChannel({ db, room, world }: Channels, name: string): Promise<void> {
  if (!(await room.left()) && !(await maybeOne(db, sql`select 1 from channels where name = ${name}`)))
    throw new Refusal("too-large", `There are ${MOST} channels, as many as can be.`);
  const now = world.now();
  await run(db, sql`insert into channels (name, created_at, used_at) values (${name}, ${now}, ${now}) on conflict do nothing`);
}

/**
 * Forgets a channel, and takes back what was to be published there. Who listens goes on: a channel is there again once it is used. Throws
 * `not-found`; `conflict` where others have something scheduled there.
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

/** Channels by their names, page by page, with how many messages are to be published on each. */
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

/** Takes away what nobody asks about any more. */
export async function purgeChannels(tx: Tx): Promise<void> {
  await run(tx, sql`delete from published_messages where at < ${later(tx.now, -KNOWN)}`);
  await run(tx, sql`delete from scheduled_messages where ended_at < ${later(tx.now, -7 * DAY)}`);
  await run(
    tx,
    sql`delete from channels c where used_at < ${later(tx.now, -UNUSED)}
        and not exists (select from scheduled_messages s where s.channel = c.name and s.due_at is not null)`,
  );
  // What is repeated each second would pile up for a week, as other happenings do.
  await run(
    tx,
    sql`delete from outbox o where type = 'channel.published' and handled_at < ${later(tx.now, -HOUR)}
        and not exists (select from outbox_failures f where f.outbox_id = o.id)`,
  );
}
