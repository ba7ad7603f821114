import { run, sql, type Tx } from "#platform/database";

/** Makes changes of watched words and link domains run one after the other. */
export const lockCheckedTexts = (tx: Tx) =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended('watched-words', 0))`);

/** Makes each process compile watched words and link domains again. */
export const renewCheckVersion = (tx: Tx) =>
  run(
    tx,
    sql`insert into watched_words_version (version) values (${tx.newId()})
      on conflict (only_row) do update set version = excluded.version`,
  );
