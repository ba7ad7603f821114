import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import { database } from "./engine.fixture.ts";
import { lookFor } from "./own/looking.ts";

/** Seconds since 1970 of the latest of them; each is a second older than the one before. */
const LATEST = 1_700_000_000;
const MANY = 36_000;

test("whoever goes back from a moment finds what comes next in order, however much lies before and behind it", async () => {
  await run(
    database.db,
    sql`insert into search_documents (id, in_index, author_id, said_at, created_at, updated_at, words, version)
      select gen_random_uuid(), 'posts', gen_random_uuid(), at, at, at, '', 1
      from generate_series(0, ${MANY}::int - 1) n, lateral (select to_timestamp(${LATEST}::int - (n * 7919) % ${MANY}::int) as at) it`,
  );
  const back = async (seconds: number) => {
    const { rows, exact } = await lookFor(database.db, GUEST, {
      index: "posts",
      wanted: null,
      sort: { by: "createdAt", descending: true },
      filter: { and: [{ number: "createdAt", is: "<=", to: LATEST - seconds }] },
      most: 3,
      facets: [],
      valuesPerFacet: 1,
    });
    const ids = rows.map(({ id }) => id);
    const found = sql<{ ago: number }>`select (${LATEST} - extract(epoch from created_at))::int as ago
      from search_documents where id = any(${ids}) order by 1`;
    return { ago: (await found.execute(database.db)).rows.map(({ ago }) => ago), exact };
  };
  for (const seconds of [0, 10_000, 21_000, 25_000, MANY - 3])
    expect(await back(seconds)).toMatchObject({ ago: [seconds, seconds + 1, seconds + 2] });
});
