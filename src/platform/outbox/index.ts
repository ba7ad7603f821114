import { type Db, type Tx, many, one, sql } from "#platform/database";
import { apart, doingNow } from "./cause.ts";

export { failures, giveReactionUp, tryReactionAgain } from "./failures.ts";
export type { Failure } from "./failures.ts";
export { asDoingOf, doingNow } from "./cause.ts";

/** What happened, as it is told: a type such as `post.written` and the ids it concerns. Never a text of a person. */
export type Happening = { type: string } & Record<string, string | number | boolean | null>;
/** One row of the outbox. `done` names the reactions that have already run for it. */
export type Told = { id: string; type: string; payload: Happening; at: Date; done: string[] };

/**
 * What is known of a happening in the process where it came about, and is not stored with it: the record itself, a list however long.
 */
export type Whole = Readonly<Record<string, unknown>>;

/** `id` is that of its row: by it, whoever hears of a happening twice knows that it is one. */
type Listener = (happening: Happening, id: string, whole: Whole | null) => void;
const listeners = new Set<Listener>();

/** Calls back in this process right after each commit that announced something. Returns the way to stop. */
export function onCommitted(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Says what happened in the transaction that made it happen: rolled back together, stored together.
 * The relay learns of it right after the commit.
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

/** As it is stored: with the run of a flow that did it, where one did, so that what feeds itself comes to an end. */
const stored = (happening: Happening): string => {
  const cause = doingNow();
  return JSON.stringify(cause === null ? happening : { ...happening, cause });
};

/**
 * `announce` as a part of the statement that makes it happen, so that both take one way to the database: a row for each row of `made`,
 * another part of that statement. It returns the `id` that `announced` wants.
 */
export const announcing = (tx: Tx, happening: Happening, made: string) => sql<{ id: string }>`
  insert into outbox (type, payload, at)
  select ${happening.type}, ${stored(happening)}::jsonb, ${tx.now}::timestamptz from ${sql.ref(made)} returning id`;

/** The relay learns of it right after the commit, as by `announce`. */
export const announced = (tx: Tx, happening: Happening, id: string): void => tx.afterCommit(() => hear(happening, id));

/**
 * Tells this process what has been stored: for a statement that wrote its own row of the outbox beside its change, so that both took
 * one way to the database. To be called after the commit.
 */
export function hear(happening: Happening, id: string, whole: Whole | null = null): void {
  for (const listener of listeners) apart(() => listener(happening, id, whole));
}

/**
 * The oldest rows nobody has handled, locked for this transaction. Only rows of transactions below the oldest one
 * still running are taken, so that a late commit with an earlier number is never overtaken.
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
