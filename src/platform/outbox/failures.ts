import { type Db, many, run, sql, type Tx } from "#platform/database";

/** A reaction that failed: what was to follow from what, and how it went. */
export type Failure = {
  outboxId: string;
  /** What happened, such as `post.written`. */
  type: string;
  reaction: string;
  attempts: number;
  error: string;
  failedAt: Date;
  /** Null once it is only tried again when somebody says so. */
  nextAt: Date | null;
};

/** A page shows so many. */
const MOST = 100;

/** The reactions that have failed and are not done yet, those that wait for a person first, then the latest; 100 at most. */
export const failures = (db: Db): Promise<Failure[]> =>
  many(
    db,
    sql<Failure>`
      select f.outbox_id as "outboxId", o.type, f.reaction, f.attempts, f.error, f.failed_at as "failedAt", f.next_at as "nextAt"
      from outbox_failures f join outbox o on o.id = f.outbox_id
      order by f.next_at is not null, f.failed_at desc, f.outbox_id, f.reaction limit ${MOST}`,
  );

type Which = Pick<Failure, "outboxId" | "reaction">;

/** Has it tried again within a second or two. Returns 0 where it is done meanwhile, or given up. */
export const tryReactionAgain = (tx: Tx, { outboxId, reaction }: Which): Promise<number> =>
  run(tx, sql`update outbox_failures set next_at = ${tx.now} where outbox_id = ${outboxId}::bigint and reaction = ${reaction}`);

/** It is never tried again: what should have followed does not. Returns 0 where it is done meanwhile. */
export const giveReactionUp = (tx: Tx, { outboxId, reaction }: Which): Promise<number> =>
  run(tx, sql`delete from outbox_failures where outbox_id = ${outboxId}::bigint and reaction = ${reaction}`);
