import { addMilliseconds, SECOND } from "#platform/clock";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { parseTrustedJson } from "#platform/json";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { type Messaging, ensureChannel, type Publisher } from "./channels.ts";
import { isSentToListeners, pushToDevices } from "./device-messages.ts";
import { createMessage, type PublishInput, type PublishedMessage } from "./channel-message.ts";

/** Maximum scheduled messages in total. */
const MAX_SCHEDULED = 1_000;
/** Maximum scheduled messages of one person. All anonymous publishers together count as one person. */
const MAX_SCHEDULED_PER_PERSON = 100;
/** Maximum repetitions of a message for which no end is given. */
const MAX_REPEATS = 10_000;
/** Maximum messages published in one transaction. */
export const PUBLISH_BATCH = 50;
const PAGE_SIZE = 100;

/**
 * Stores a message to be published later.
 * @throws `too-large` when too many are scheduled
 */
export async function scheduleMessage(
  channels: Messaging,
  by: Publisher,
  channel: string,
  input: PublishInput,
): Promise<string> {
  const { db, runtime } = channels;
  const now = runtime.now();
  const id = runtime.newId();
  const due = new Date(Math.max(input.publishAt, now.getTime()));
  const ends = input.repeatExpiresAt > 0 ? new Date(input.repeatExpiresAt) : null;
  if (ends !== null && ends < due)
    throw new Refusal("invalid", "repeatExpiresAt: cannot be before the first publication", {
      kind: "bad-body",
    });
  await ensureChannel(channels, channel);
  const kept = await run(
    db,
    sql`
      insert into scheduled_messages (id, channel, person_id, content, state, due_at, repeat_every,
        expires_at, created_at)
      select ${id}, ${channel}, ${by.personId}, ${JSON.stringify(input)}, 'scheduled', ${due},
        ${input.repeatEvery || null}, ${ends}, ${now}
      where (select count(*) from scheduled_messages where due_at is not null) < ${MAX_SCHEDULED}
        and (${by.trusted} or (select count(*) from scheduled_messages
          where due_at is not null and person_id is not distinct from ${by.personId})
            < ${MAX_SCHEDULED_PER_PERSON})`,
  );
  if (kept === 0)
    throw new Refusal(
      "too-large",
      msg("At most {count} messages can be scheduled, and {count2} per user.", {
        count: MAX_SCHEDULED,
        count2: MAX_SCHEDULED_PER_PERSON,
      }),
    );
  for (const plan of channels.planners) plan(due);
  return id;
}

type DueMessage = {
  id: string;
  channel: string;
  content: string;
  dueAt: Date;
  repeatEvery: number | null;
  expiresAt: Date | null;
  times: number;
};

/**
 * Publishes due messages and returns how many. Messages locked by another process are skipped. The event is
 * stored in the same transaction, so that nothing is lost if the process ends in between.
 */
export async function publishDueBatch(channels: Pick<Messaging, "push">, tx: Tx): Promise<number> {
  const due = await many(
    tx,
    sql<DueMessage>`
      select id, channel, content, due_at as "dueAt", repeat_every as "repeatEvery",
        expires_at as "expiresAt", times
      from scheduled_messages where due_at <= ${tx.now} order by due_at, id ${limit(PUBLISH_BATCH)}
      for update skip locked`,
  );
  for (const one of due)
    await (one.expiresAt !== null && one.expiresAt < tx.now
      ? endSchedule(tx, one)
      : publishScheduled(channels, tx, one));
  return due.length;
}

async function publishScheduled(channels: Pick<Messaging, "push">, tx: Tx, one: DueMessage) {
  const input = parseTrustedJson<PublishInput>(one.content);
  const error = await pushToDevices(
    channels,
    tx,
    { channel: one.channel, message: createMessage(one.id, tx.now, input) },
    input,
  );
  const next = nextOccurrence(one, tx.now);
  const state =
    next !== null ? "scheduled" : error !== null && !isSentToListeners(input) ? "failed" : "published";
  await run(
    tx,
    sql`
      update scheduled_messages
      set times = times + 1, due_at = ${next}, state = ${state}, error = ${error},
        ended_at = ${next === null ? tx.now : null}
      where id = ${one.id}`,
  );
  await run(tx, sql`update channels set used_at = ${tx.now} where name = ${one.channel}`);
  if (isSentToListeners(input))
    await emit(tx, {
      type: "channel.published",
      messageId: one.id,
      channel: one.channel,
      at: tx.now.getTime(),
    });
}

/** Ends the schedule of a message whose repetition ended while no process was running. */
const endSchedule = (tx: Tx, { id, times }: DueMessage) =>
  run(
    tx,
    sql`
      update scheduled_messages
      set due_at = null, ended_at = ${tx.now}, state = ${times > 0 ? "published" : "failed"},
        error = ${times > 0 ? null : "It expired before it could be published."}
      where id = ${id}`,
  );

/** Returns the next repetition in the future. Repetitions missed while no process was running are skipped. */
function nextOccurrence({ dueAt, repeatEvery, expiresAt, times }: DueMessage, now: Date): Date | null {
  if (repeatEvery === null || times + 1 >= MAX_REPEATS) return null;
  const step = repeatEvery * SECOND;
  const missed = Math.max(0, Math.floor((now.getTime() - dueAt.getTime()) / step));
  const next = addMilliseconds(dueAt, (missed + 1) * step);
  return expiresAt !== null && next > expiresAt ? null : next;
}

/**
 * Returns when the next message is due, null if none is scheduled. Messages due before `looked` are left out,
 * because another process is publishing them: polling for them at once would be a busy loop.
 */
export const findNextDue = async ({ db }: Pick<Messaging, "db">, looked: Date): Promise<Date | null> =>
  (
    await maybeOne(
      db,
      sql<{ at: Date | null }>`select min(due_at) as at from scheduled_messages where due_at > ${looked}`,
    )
  )?.at ?? null;

/** Returns a message as it was published at a given time; null if it no longer exists. */
export async function getDueMessage(
  { db }: Pick<Messaging, "db">,
  id: string,
  at: Date,
): Promise<PublishedMessage | null> {
  const found = await maybeOne(
    db,
    sql<{
      channel: string;
      content: string;
    }>`select channel, content from scheduled_messages where id = ${id}`,
  );
  return found
    ? { channel: found.channel, message: createMessage(id, at, parseTrustedJson(found.content)) }
    : null;
}

export type ScheduledMessage = {
  id: string;
  channel: string;
  dueAt: Date;
  repeatEvery: number | null;
  expiresAt: Date | null;
  times: number;
  excerpt: string;
};

/**
 * Lists scheduled messages in the order of their due times, page by page. An invalid cursor means the first
 * page.
 */
export async function listScheduledMessages(
  { db }: Pick<Messaging, "db">,
  after: string,
): Promise<{ rows: ScheduledMessage[]; next: string | null }> {
  const [, ms, id] = /^(\d{1,14})_(.{36})$/.exec(after) ?? [];
  const from =
    id !== undefined && isId(id) ? sql`(due_at, id) > (${new Date(Number(ms))}, ${id}::uuid)` : sql`true`;
  const rows = await many(
    db,
    sql<ScheduledMessage>`
      select id, channel, due_at as "dueAt", repeat_every as "repeatEvery", expires_at as "expiresAt", times,
        left((content::json -> 'message')::text, 200) as excerpt
      from scheduled_messages where due_at is not null and ${from}
      order by due_at, id ${limit(PAGE_SIZE + 1)}`,
  );
  const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined;
  return { rows: rows.slice(0, PAGE_SIZE), next: last ? `${last.dueAt.getTime()}_${last.id}` : null };
}
