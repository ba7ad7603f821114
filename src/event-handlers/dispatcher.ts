import { setTimeout as pause } from "node:timers/promises";
import { many, run, sql, type Tx } from "#platform/database";
import type { Log } from "#platform/log";
import { traceWork } from "#platform/telemetry";
import { type PendingEvent, claimPendingEvents } from "#platform/outbox";
import { addMilliseconds, SECOND, MINUTE, HOUR } from "#platform/clock";
import type { EventHandlers, EventHandler, HandlerContext } from "./handlers.ts";

/** Rows per batch: few, so that they are locked only for a short time. */
const BATCH_SIZE = 50;
/** Milliseconds between polls, for missed wake-ups and for retries that are due. */
const POLL_INTERVAL = SECOND;
/**
 * Milliseconds between wake-up and batch: open pages are updated first, and a batch collects the events of
 * many concurrent writers.
 */
const WAKE_DELAY = 5;
/**
 * Delays before a failed handler is retried. After the last one an admin must retry it (`/admin/failures`).
 */
const RETRY_DELAYS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];

export type Dispatcher = {
  wake: () => void;
  stop: () => Promise<void>;
  /** Runs one batch now; returns how many rows it handled. */ round: () => Promise<number>;
};
type DispatcherOptions = { app: HandlerContext; reactions: EventHandlers; log: Log; now: () => Date };

/**
 * Passes domain events to their handlers. Each commit of this process wakes the dispatcher; a poll each
 * second is the fallback.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { log } = options;
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;
  let retriedAt = -Infinity;

  const work = async () => {
    do {
      await pause(WAKE_DELAY);
      again = false;
      while (!stopped && (await dispatchBatch(options)) === BATCH_SIZE);
      if (stopped || performance.now() - retriedAt < POLL_INTERVAL / 2) continue;
      retriedAt = performance.now();
      await retryFailures(options);
    } while (again && !stopped);
  };
  const wake = () => {
    again = true;
    if (running || stopped) return;
    running = work()
      .catch((error: unknown) => log.warn({ err: error }, "the dispatcher could not read the outbox"))
      .finally(() => (running = null));
  };
  const timer = setInterval(wake, POLL_INTERVAL);
  return {
    wake,
    round: () => dispatchBatch(options),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

const dispatchBatch = (options: DispatcherOptions) =>
  options.app.database.inTransaction(async (tx) => {
    const rows = await claimPendingEvents(tx, BATCH_SIZE);
    if (rows.length === 0) return 0;
    const { app, reactions } = options;
    for (const pendingEvent of rows)
      for (const [name, react] of Object.entries(handlersFor(reactions, pendingEvent.type)))
        await runHandler(tx, [pendingEvent], name, options, () =>
          react(app, pendingEvent.payload, pendingEvent),
        );
    for (const [name, react] of Object.entries(reactions.batch))
      await runHandler(tx, rows, name, options, (those) =>
        react(
          app,
          those.map(({ payload }) => payload),
        ),
      );
    const done = rows.map((pendingEvent) => ({ id: pendingEvent.id, done: pendingEvent.done }));
    // Planned on each execution: a plan made while the table was small would later scan the whole table.
    await run(
      tx,
      sql`/* anew */
      update outbox set handled_at = ${tx.now}, done = it.done
      from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as it (id bigint, done text[])
      where outbox.id = it.id`,
    );
    return rows.length;
  });

const handlersFor = ({ each }: EventHandlers, type: string): Record<string, EventHandler> => ({
  ...each["*"],
  ...each[type],
});

/**
 * Runs a handler for the rows that it has not handled yet. A failure is stored for a retry, so that it does
 * not delay other events.
 */
async function runHandler(
  tx: Tx,
  rows: readonly PendingEvent[],
  name: string,
  { log }: DispatcherOptions,
  react: (those: PendingEvent[]) => Promise<void>,
) {
  const those = rows.filter(({ done }) => !done.includes(name));
  if (those.length === 0) return;
  try {
    await traceWork(`handler ${name}`, () => react(those));
    for (const pendingEvent of those) pendingEvent.done.push(name);
  } catch (error) {
    const ids = those.map(({ id }) => id);
    log.error({ err: error, reaction: name, outboxIds: ids }, "a domain-event handler failed");
    await run(
      tx,
      sql`
      insert into outbox_failures (outbox_id, reaction, next_at, error, failed_at)
      select id, ${name}, ${addMilliseconds(tx.now, RETRY_DELAYS[0]!)}::timestamptz, ${describeError(error)},
        ${tx.now}::timestamptz from unnest(${ids}::bigint[]) id
      on conflict do nothing`,
    );
  }
}

type FailedHandler = PendingEvent & { reaction: string; attempts: number };

async function retryFailures({ app, reactions, log, now }: DispatcherOptions) {
  await app.database.inTransaction(async (tx) => {
    const due = await many(
      tx,
      sql<FailedHandler>`
      select o.id, o.type, o.payload, o.at, o.done, f.reaction, f.attempts
      from outbox_failures f join outbox o on o.id = f.outbox_id
      where f.next_at <= ${now()} order by f.next_at limit 20 for update of f skip locked`,
    );
    for (const failure of due) await retryHandler(tx, failure, { app, reactions, log });
  });
}

async function retryHandler(
  tx: Tx,
  failure: FailedHandler,
  { app, reactions, log }: Pick<DispatcherOptions, "app" | "reactions" | "log">,
) {
  try {
    await handlersFor(reactions, failure.type)[failure.reaction]?.(app, failure.payload, failure);
    await reactions.batch[failure.reaction]?.(app, [failure.payload]);
    await run(
      tx,
      sql`delete from outbox_failures where outbox_id = ${failure.id} and reaction = ${failure.reaction}`,
    );
    await run(
      tx,
      sql`update outbox set done = array_append(done, ${failure.reaction}) where id = ${failure.id}`,
    );
  } catch (error) {
    const delay = RETRY_DELAYS[failure.attempts];
    log.error(
      { err: error, reaction: failure.reaction, outboxId: failure.id, attempts: failure.attempts + 1 },
      "a domain-event handler failed again",
    );
    await run(
      tx,
      sql`
      update outbox_failures set attempts = attempts + 1, error = ${describeError(error)},
        failed_at = ${tx.now},
        next_at = ${delay === undefined ? null : addMilliseconds(tx.now, delay)}
      where outbox_id = ${failure.id} and reaction = ${failure.reaction}`,
    );
  }
}

const describeError = (error: unknown) =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
