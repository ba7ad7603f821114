import { type Db, many, run, sql, type Tx } from "#platform/database";

/** A domain-event handler that failed, with its event and its error. */
export type HandlerFailure = {
  outboxId: string;
  /** Type of the domain event, such as `post.written`. */
  type: string;
  reaction: string;
  attempts: number;
  error: string;
  failedAt: Date;
  /** Null when it runs again only after a manual retry. */
  nextAt: Date | null;
};

/** Maximum number of failures on a page. */
const MAX_LISTED = 100;

/**
 * Lists failed handlers that are not done: first those that wait for a manual retry, then the latest; at
 * most 100.
 */
export const listHandlerFailures = (db: Db): Promise<HandlerFailure[]> =>
  many(
    db,
    sql<HandlerFailure>`
      select f.outbox_id as "outboxId", o.type, f.reaction, f.attempts, f.error, f.failed_at as "failedAt",
        f.next_at as "nextAt"
      from outbox_failures f join outbox o on o.id = f.outbox_id
      order by f.next_at is not null, f.failed_at desc, f.outbox_id, f.reaction limit ${MAX_LISTED}`,
  );

type FailureKey = Pick<HandlerFailure, "outboxId" | "reaction">;

/**
 * Retries a handler within a second or two. Returns 0 when the handler has succeeded or was abandoned
 * meanwhile.
 */
export const retryHandler = (tx: Tx, { outboxId, reaction }: FailureKey): Promise<number> =>
  run(
    tx,
    sql`update outbox_failures set next_at = ${tx.now}
      where outbox_id = ${outboxId}::bigint and reaction = ${reaction}`,
  );

/** Deletes a failed handler, which then never runs. Returns 0 when the handler has succeeded meanwhile. */
export const abandonHandler = (tx: Tx, { outboxId, reaction }: FailureKey): Promise<number> =>
  run(tx, sql`delete from outbox_failures where outbox_id = ${outboxId}::bigint and reaction = ${reaction}`);
