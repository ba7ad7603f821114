import { run, sql, type Tx } from "#platform/database";

/** A row as JSON: dates become text that PostgreSQL parses, lists become arrays. */
export type Row = Record<string, unknown>;

/**
 * Inserts many rows in one statement. All rows have the columns of the first; other columns keep their
 * defaults.
 */
export const insertRows = (tx: Tx, table: string, rows: Row[]) => insertInto(tx, table, rows, sql``);

/** Like `insertRows`, but existing rows stay unchanged, whichever key conflicts. */
export const insertNewRows = (tx: Tx, table: string, rows: Row[]) =>
  insertInto(tx, table, rows, sql`on conflict do nothing`);

/** Like `insertNewRows`, for a table with a deferrable key: only existing ids are skipped. */
export const insertRowsWithNewIds = (tx: Tx, table: string, rows: Row[]) =>
  insertInto(tx, table, rows, sql`on conflict (id) do nothing`);

/**
 * Inserts or updates the rows that map archive ids to entities. If an entity was deleted, its id is mapped
 * to the replacement.
 */
export const upsertImportedNames = (tx: Tx, rows: Row[]) =>
  insertInto(
    tx,
    "imported_records",
    rows,
    sql`on conflict (source, kind, source_id) do update set local_id = excluded.local_id,
      other_id = excluded.other_id, part = excluded.part,
          made = excluded.made, run_id = excluded.run_id`,
  );

async function insertInto(tx: Tx, table: string, rows: Row[], else_: ReturnType<typeof sql>): Promise<void> {
  if (rows.length === 0) return;
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)));
  await run(
    tx,
    sql`insert into ${sql.table(table)} (${columns})
        select ${columns}
        from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) ${else_}`,
  );
}
