import { later, SECOND } from "#platform/clock";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { type Channels, makeChannel, type Publisher } from "./channels.ts";
import { isHeard, toDevices } from "./devices.ts";
import { messageAt, type Publishing, type Published } from "./message.ts";

/** Scheduled messages in total; then of one person, or of all anonymous publishers together. */
const MOST = 1_000;
const MOST_OF_ONE = 100;
/** Repetitions of a message without another end. */
const MOST_TIMES = 10_000;
/** Messages published in one transaction. */
export const ROUND = 50;
const PAGE = 100;

/**
 * Stores a message to be published later.
 * @throws `too-large` when too many are scheduled
 */
export async function schedule(channels: Channels, by: Publisher, channel: string, said: Publishing): Promise<string> {
  const { db, world } = channels;
  const now = world.now();
  const id = world.newId();
  const due = new Date(Math.max(said.publishAt, now.getTime()));
  const ends = said.repeatExpiresAt > 0 ? new Date(said.repeatExpiresAt) : null;
  if (ends !== null && ends < due)
    throw new Refusal("invalid", "repeatExpiresAt: is not before the message is first due", { kind: "bad-body" });
  await makeChannel(channels, channel);
  const kept = await run(
    db,
    sql`
      insert into scheduled_messages (id, channel, person_id, content, state, due_at, repeat_every, expires_at, created_at)
      select ${id}, ${channel}, ${by.personId}, ${JSON.stringify(said)}, 'scheduled', ${due}, ${said.repeatEvery || null}, ${ends}, ${now}
      where (select count(*) from scheduled_messages where due_at is not null) < ${MOST}
        and (${by.trusted} or (select count(*) from scheduled_messages where due_at is not null and person_id is not distinct from ${by.personId}) < ${MOST_OF_ONE})`,
  );
  if (kept === 0) throw new Refusal("too-large", `${MOST} messages wait to be published, or ${MOST_OF_ONE} of yours: as many as can be.`);
  for (const plan of channels.planners) plan(due);
  return id;
}

type Due = { id: string; channel: string; content: string; dueAt: Date; repeatEvery: number | null; expiresAt: Date | null; times: number };

/**
 * Publishes due messages and returns how many. Messages that another process has locked are skipped. The
 * event is stored in the same transaction, so that a process that dies midway loses nothing.
 */
export async function publishDue(channels: Pick<Channels, "push">, tx: Tx): Promise<number> {
  const due = await many(
    tx,
    sql<Due>`
      select id, channel, content, due_at as "dueAt", repeat_every as "repeatEvery", expires_at as "expiresAt", times
      from scheduled_messages where due_at <= ${tx.now} order by due_at, id ${limit(ROUND)} for update skip locked`,
  );
  for (const one of due) await (one.expiresAt !== null && one.expiresAt < tx.now ? giveUp(tx, one) : goOut(channels, tx, one));
  return due.length;
}

async function goOut(channels: Pick<Channels, "push">, tx: Tx, one: Due) {
  const said = JSON.parse(one.content) as Publishing;
  const error = await toDevices(channels, tx, { channel: one.channel, message: messageAt(one.id, tx.now, said) }, said);
  const next = nextOf(one, tx.now);
  const state = next !== null ? "scheduled" : error !== null && !isHeard(said) ? "failed" : "published";
  await run(
    tx,
    sql`
      update scheduled_messages
      set times = times + 1, due_at = ${next}, state = ${state}, error = ${error}, ended_at = ${next === null ? tx.now : null}
      where id = ${one.id}`,
  );
  await run(tx, sql`update channels set used_at = ${tx.now} where name = ${one.channel}`);
  if (isHeard(said)) await announce(tx, { type: "channel.published", messageId: one.id, channel: one.channel, at: tx.now.getTime() });
}

/** The repetition ended while no process was running. */
const giveUp = (tx: Tx, { id, times }: Due) =>
  run(
    tx,
    sql`
      update scheduled_messages set due_at = null, ended_at = ${tx.now}, state = ${times > 0 ? "published" : "failed"},
        error = ${times > 0 ? null : "Its time was over before it could be published."}
      where id = ${id}`,
  );

/** The next occurrence in the future: those missed while no process was running are not made up for. */
function nextOf({ dueAt, repeatEvery, expiresAt, times }: Due, now: Date): Date | null {
  if (repeatEvery === null || times + 1 >= MOST_TIMES) return null;
  const step = repeatEvery * SECOND;
  const missed = Math.max(0, Math.floor((now.getTime() - dueAt.getTime()) / step));
  const next = later(dueAt, (missed + 1) * step);
  return expiresAt !== null && next > expiresAt ? null : next;
}

/**
 * When the next message is due, null when none is scheduled. Messages due before `looked` are being published
 * by another process: polling for them at once would be a busy loop.
 */
export const nextDue = async ({ db }: Pick<Channels, "db">, looked: Date): Promise<Date | null> =>
  (await maybeOne(db, sql<{ at: Date | null }>`select min(due_at) as at from scheduled_messages where due_at > ${looked}`))?.at ?? null;

/** A message as it was published at a moment; null when it no longer exists. */
export async function dueMessage({ db }: Pick<Channels, "db">, id: string, at: Date): Promise<Published | null> {
  const found = await maybeOne(
    db,
    sql<{ channel: string; content: string }>`select channel, content from scheduled_messages where id = ${id}`,
  );
  return found ? { channel: found.channel, message: messageAt(id, at, JSON.parse(found.content) as Publishing) } : null;
}

export type Waiting = {
  id: string;
  channel: string;
  dueAt: Date;
  repeatEvery: number | null;
  expiresAt: Date | null;
  times: number;
  excerpt: string;
};

/** Lists scheduled messages, the next first, page by page. An invalid cursor starts at the beginning. */
export async function listWaiting({ db }: Pick<Channels, "db">, after: string): Promise<{ rows: Waiting[]; next: string | null }> {
  const [, ms, id] = /^(\d{1,14})_(.{36})$/.exec(after) ?? [];
  const from = id !== undefined && isId(id) ? sql`(due_at, id) > (${new Date(Number(ms))}, ${id}::uuid)` : sql`true`;
  const rows = await many(
    db,
    sql<Waiting>`
      select id, channel, due_at as "dueAt", repeat_every as "repeatEvery", expires_at as "expiresAt", times,
        left((content::json -> 'message')::text, 200) as excerpt
      from scheduled_messages where due_at is not null and ${from} order by due_at, id ${limit(PAGE + 1)}`,
  );
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
  return { rows: rows.slice(0, PAGE), next: last ? `${last.dueAt.getTime()}_${last.id}` : null };
}
