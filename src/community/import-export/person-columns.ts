import { type Db, many, sql } from "#platform/database";

export type PersonColumn = {
  schema: string;
  table: string;
  column: string;
  /** The column is part of the table's primary key, so each person appears at most once per entity. */
  isKey: boolean;
  /** The reference prevents the deletion of the person. */
  holds: boolean;
};

/** Every column that references a person, read from the database's catalogue. */
export const listPersonColumns = (db: Db): Promise<PersonColumn[]> =>
  many(
    db,
    sql<PersonColumn>`
      select n.nspname as schema, t.relname as table, a.attname as column,
        c.confdeltype in ('a', 'r') as holds,
        exists (select from pg_index i where i.indrelid = c.conrelid and i.indisunique
          and a.attnum = any(i.indkey::int2[]) and (i.indisprimary or i.indpred is null)) as "isKey"
      from pg_constraint c
      join pg_class t on t.oid = c.conrelid
      join pg_namespace n on n.oid = t.relnamespace
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'people'::regclass and cardinality(c.conkey) = 1
      order by 1, 2, 3`,
  );
