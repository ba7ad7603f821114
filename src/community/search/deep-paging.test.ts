import { beforeEach, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import { database } from "../../../test/support/search/engine-setup.ts";
import type { Filter } from "./index.ts";
import { findCandidates } from "./postgres/candidates.ts";

/** Seconds since 1970 of the latest document; each of the others is a second older. */
const LATEST = 1_700_000_000;
const MANY = 36_000;

beforeEach(async () => {
  await run(
    database.db,
    sql`insert into search_documents (id, in_index, author_id, written_at, created_at, updated_at, words,
      version)
      select gen_random_uuid(), 'posts', gen_random_uuid(), at, at, at, '', 1
      from generate_series(0, ${MANY}::int - 1) n,
        lateral (select to_timestamp(${LATEST}::int - (n * 7919) % ${MANY}::int) as at) it`,
  );
});

/** Age in seconds of the first three hits. */
async function first(descending: boolean, filter: Filter): Promise<number[]> {
  const sort = { by: "createdAt", descending } as const;
  const asking = {
    index: "posts",
    wanted: null,
    sort,
    filter,
    most: 3,
    facets: [],
    valuesPerFacet: 1,
  } as const;
  const { rows } = await findCandidates(database.db, GUEST, asking);
  const found = await many(
    database.db,
    sql<{ id: string; ago: number }>`select id, (${LATEST} - extract(epoch from created_at))::int as ago
      from search_documents where id = any(${rows.map(({ id }) => id)})`,
  );
  return rows.map(({ id }) => found.find((it) => it.id === id)!.ago);
}

test("paging back from a given time returns the next hits in order, even among very many hits", async () => {
  for (const seconds of [0, 10_000, 21_000, 25_000, MANY - 3])
    expect(await first(true, { and: [{ number: "createdAt", is: "<=", to: LATEST - seconds }] })).toEqual([
      seconds,
      seconds + 1,
      seconds + 2,
    ]);
});

test("sorting by oldest first returns the oldest hits", async () => {
  for (const seconds of [MANY - 1, 25_000, 10_000])
    expect(await first(false, { number: "createdAt", is: ">=", to: LATEST - seconds })).toEqual([
      seconds,
      seconds - 1,
      seconds - 2,
    ]);
});
