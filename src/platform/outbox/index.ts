import { type Db, type Tx, many, one, sql } from "#platform/database";
import { withoutEventCause, currentEventCause } from "./event-cause.ts";

export { listHandlerFailures, abandonHandler, retryHandler } from "./handler-failures.ts";
export type { HandlerFailure } from "./handler-failures.ts";
export { withEventCause, currentEventCause } from "./event-cause.ts";

/** A domain event: a type such as `post.written` and the ids it concerns. Never a person's text. */
export type DomainEvent = { type: string } & Record<string, string | number | boolean | null>;
/** A row of the outbox. `done` names the handlers that have already run. */
export type PendingEvent = { id: string; type: string; payload: DomainEvent; at: Date; done: string[] };

/**
 * Data of a domain event that only the emitting process has and that is not stored with the event, such as
 * the row itself or a long list.
 */
export type EventRecords = Readonly<Record<string, unknown>>;

/** `id` is the id of the outbox row: it identifies an event that is received twice. */
type CommitListener = (domainEvent: DomainEvent, id: string, whole: EventRecords | null) => void;
const commitListeners = new Set<CommitListener>();

/**
 * Calls `listener` in this process right after each commit that emitted a domain event. Returns the
 * unsubscribe function.
 */
export function onCommitted(listener: CommitListener): () => void {
  commitListeners.add(listener);
  return () => void commitListeners.delete(listener);
}

/**
 * Emits a domain event in the current transaction: it is stored or rolled back with it. Wakes the dispatcher
 * right after the commit.
 */
export async function emit(tx: Tx, domainEvent: DomainEvent): Promise<void> {
  const { id } = await one(
    tx,
    sql<{
      id: string;
    }>`insert into outbox (type, payload, at)
      values (${domainEvent.type}, ${payloadOf(domainEvent)}, ${tx.now}) returning id`,
  );
  tx.afterCommit(() => publishEvent(domainEvent, id));
}

/** Adds the automation run that caused the event, so that a loop of automations can be stopped. */
const payloadOf = (domainEvent: DomainEvent): string => {
  const cause = currentEventCause();
  return JSON.stringify(cause === null ? domainEvent : { ...domainEvent, cause });
};

/**
 * Like `emit`, but as part of the statement that makes the change, in one round trip. Adds one outbox row
 * for each row of `made`, which is another part of that statement, and returns the `id` that
 * `publishAfterCommit` needs.
 */
export const emitInStatement = (tx: Tx, domainEvent: DomainEvent, made: string) => sql<{ id: string }>`
  insert into outbox (type, payload, at)
  select ${domainEvent.type}, ${payloadOf(domainEvent)}::jsonb, ${tx.now}::timestamptz from ${sql.ref(made)}
  returning id`;

/** Wakes the dispatcher right after the commit, as `emit` does. */
export const publishAfterCommit = (tx: Tx, domainEvent: DomainEvent, id: string): void =>
  tx.afterCommit(() => publishEvent(domainEvent, id));

/**
 * Publishes a stored domain event in this process: for a statement that wrote its own outbox row together
 * with its change. Call it after the commit.
 */
export function publishEvent(domainEvent: DomainEvent, id: string, whole: EventRecords | null = null): void {
  for (const listener of commitListeners) withoutEventCause(() => listener(domainEvent, id, whole));
}

/**
 * Claims the oldest pending events by locking them for this transaction. Takes only rows of transactions
 * older than the oldest running one, so that a late commit with a lower number is never skipped.
 */
export const claimPendingEvents = (tx: Db, most: number): Promise<PendingEvent[]> =>
  many(
    tx,
    sql<PendingEvent>`
      select id, type, payload, at, done from outbox
      where handled_at is null and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid, id
      limit ${most}
      for update skip locked`,
  );
