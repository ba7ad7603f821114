import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();

/**
 * Foreign keys without an index on their columns. A partial index serves only if it omits nothing but null
 * keys, because a deletion queries by key alone.
 */
const WITHOUT_INDEX = sql<{ key: string }>`
  select n.nspname || '.' || t.relname || ' (' || string_agg(a.attname, ', ' order by k.place) || ')' as key
  from pg_constraint c
  join pg_class t on t.oid = c.conrelid
  join pg_namespace n on n.oid = t.relnamespace
  cross join lateral unnest(c.conkey) with ordinality k (number, place)
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
  where c.contype = 'f' and n.nspname in ('public', 'kith')
    and not exists (
      select from pg_index i
      where i.indrelid = c.conrelid and i.indisvalid
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        and (i.indpred is null or (cardinality(c.conkey) = 1 and pg_get_expr(i.indpred, i.indrelid) = (
          select '(' || f.attname || ' IS NOT NULL)' from pg_attribute f
          where f.attrelid = c.conrelid and f.attnum = c.conkey[1]))))
  group by c.oid, n.nspname, t.relname
  order by 1`;

test("every foreign key has an index that a deletion can use", async () => {
  const { n } = (
    await many(
      database.db,
      sql<{ n: number }>`select count(*)::int as n from pg_constraint where contype = 'f'`,
    )
  )[0]!;
  expect(n).toBeGreaterThan(100);
  expect((await many(database.db, WITHOUT_INDEX)).map(({ key }) => key)).toEqual([]);
});
