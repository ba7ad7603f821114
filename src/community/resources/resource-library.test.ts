import pg from "pg";
import { expect, test, vi } from "vitest";
import { run, sql } from "#platform/database";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { type LibraryQuery, listResources } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** Ten thousand resources of two years, in a group and site-wide, with a few of a rare kind. */
async function fullLibrary() {
  const people = await createTestUsers(database);
  const { mira, tomas, ada } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) =>
    run(
      tx,
      sql`
        insert into resources (id, kind, group_id, owner_id, title, url, tags, language, health,
          comments_count, bookmarks_count, last_comment_at, created_at)
        select gen_random_uuid(), case when n % 1000 = 1 then 'video' when n % 3 = 0 then 'link'
          else 'document' end,
          case when n % 4 = 0 then ${group.id}::uuid end, case when n % 500 = 0 then ${ada.id}::uuid
            else ${tomas.id}::uuid end, 'Title ' || md5(n::text),
          case when n % 1000 = 1 or n % 3 = 0 then 'https://example.org/' || n
            end, array['tag' || n % 300], case when n % 700 = 0 then 'de' else 'en' end,
          case when n % 900 = 0 then 'dead' else 'unknown' end, n % 11, n % 13, case
            when n % 2 = 0 then ${tx.now}::timestamptz - n * interval '1 hour' end,
          ${tx.now}::timestamptz - n * interval '2 hours'
        from generate_series(1, 10000) n`,
    ),
  );
  await database.pool.query("analyze resources");
  return { mira, group, owner: ada.id };
}

/** Query plans of the statements. */
async function plansOf(ask: () => Promise<unknown>): Promise<string[]> {
  const querySpy = vi.spyOn(pg.Client.prototype, "query");
  await ask();
  const questions = querySpy.mock.calls.map(([question]) => question as unknown as pg.QueryConfig);
  querySpy.mockRestore();
  expect(questions).not.toEqual([]);
  const plan = ({ text, values }: pg.QueryConfig) =>
    database.pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
  return Promise.all(
    questions.map(async (it) => (await plan(it)).rows.map((row) => row["QUERY PLAN"]).join("\n")),
  );
}

test("no sort order or filter of the library scans every resource", { timeout: 30_000 }, async () => {
  const { mira, group, owner } = await fullLibrary();
  const queries: LibraryQuery[] = [
    ...(["newest", "title", "discussed", "talked", "kept"] as const).map((sort) => ({ sort })),
    ...([
      { kind: "video" },
      { kind: "image" },
      { tag: "tag7" },
      { group: group.id },
      { mine: "yes" },
      { owner },
      { language: "de" },
      { language: "fr" },
      { dead: "yes" },
      { year: 2025 },
      { year: 2019 },
    ] as const),
  ];
  for (const look of queries) {
    const { next } = await listResources(db, mira, look);
    for (const after of [undefined, next ?? undefined])
      for (const plan of await plansOf(() => listResources(db, mira, { ...look, after })))
        expect(plan, JSON.stringify(look)).not.toMatch(/Seq Scan on resources/);
  }
});
