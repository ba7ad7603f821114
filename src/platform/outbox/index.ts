import { type Db, type Tx, many, one, sql } from "#platform/database";
import { apart, doingNow } from "./cause.ts";

export { failures, giveReactionUp, tryReactionAgain } from "./failures.ts";
export type { Failure } from "./failures.ts";
export { asDoingOf, doingNow } from "./cause.ts";

/** A domain event: a type such as `post.written` and the ids it concerns. Never a person's text. */
export type Happening = { type: string } & Record<string, string | number | boolean | null>;
/** A row of the outbox. `done` names the handlers that have already run. */
export type Told = { id: string; type: string; payload: Happening; at: Date; done: string[] };

/**
 * Records of a domain event that are known in the process that emitted it and not stored with it, such as the
 * row itself or a long list.
 */
export type Whole = Readonly<Record<string, unknown>>;

/** `id` is that of the outbox row: it identifies an event that is received twice. */
type Listener = (happening: Happening, id: string, whole: Whole | null) => void;
const listeners = new Set<Listener>();

/**
 * Calls back in this process right after each commit that emitted something. Returns the unsubscribe
 * function.
 */
export function onCommitted(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Emits a domain event in the current transaction: stored or rolled back with it. The dispatcher is woken
 * right after the commit.
 */
export async function announce(tx: Tx, happening: Happening): Promise<void> {
  const { id } = await one(
    tx,
    sql<{
      id: string;
    }>`insert into outbox (type, payload, at) values (${happening.type}, ${stored(happening)}, ${tx.now}) returning id`,
  );
  tx.afterCommit(() => hear(happening, id));
}

/** Stores the automation run that caused the event, so that a loop of automations can be stopped. */
const stored = (happening: Happening): string => {
  const cause = doingNow();
  return JSON.stringify(cause === null ? happening : { ...happening, cause });
};

/**
 * `emit` as part of the statement that makes the change, in one round trip: one outbox row for each row of
 * `made`, another part of that statement. It returns the `id` that `publishAfterCommit` needs.
 */
export const announcing = (tx: Tx, happening: Happening, made: string) => sql<{ id: string }>`
  insert into outbox (type, payload, at)
  select ${happening.type}, ${stored(happening)}::jsonb, ${tx.now}::timestamptz from ${sql.ref(made)} returning id`;

/** Wakes the dispatcher right after the commit, as `emit` does. */
export const announced = (tx: Tx, happening: Happening, id: string): void => tx.afterCommit(() => hear(happening, id));

/**
 * Publishes a stored domain event in this process: for a statement that wrote its own outbox row together
 * with its change. Call it after the commit.
 */
export function hear(happening: Happening, id: string, whole: Whole | null = null): void {
  for (const listener of listeners) apart(() => listener(happening, id, whole));
}

/**
 * Claims the oldest pending events by locking them for this transaction. Only rows of transactions below the
 * oldest running one are taken, so that a late commit with a lower number is never skipped.
 */
export const untold = (tx: Db, most: number): Promise<Told[]> =>
  many(
    tx,
    sql<Told>`
      select id, type, payload, at, done from outbox
      where handled_at is null and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid, id
      limit ${most}
      for update skip locked`,
  );
