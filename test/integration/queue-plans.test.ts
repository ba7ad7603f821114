import { expect, test } from "vitest";
import { getQueueCounts, getResponseTimes } from "#community/moderation";
import { run, sql } from "#platform/database";
import { createPlanReader } from "../support/postgres/query-plans.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";

const database = await testDatabase();
const { db, clock } = database;
const { readOf } = createPlanReader(database.pool);

test("counts and response times of the queue read few of many cases", async () => {
  const { mira, tomas, noor, ines } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  const { id } = await createTestDiscussion(database, mira, group.id);
  await run(
    db,
    sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
      select gen_random_uuid(), ${id}, n, ${noor.id}, '', '', now() from generate_series(11, 3010) n`,
  );
  // Every second case is decided. The trigger that opens a case for a report is too slow for so many.
  await run(
    db,
    sql`insert into cases (id, subject_kind, subject_id, group_id, state, reports_count, opened_at, claimed_at,
        resolved_at, resolved_by)
      select id, 'post', id, ${group.id}, case when done then 'resolved' else 'open' end, 1, at, at,
        case when done then at end, case when done then ${tomas.id}::uuid end
      from (select id, number % 2 = 0 as done, ${clock.at}::timestamptz - make_interval(mins => number) as at
        from posts where number > 10) subject`,
  );
  await run(db, sql`alter table reports disable trigger user`);
  await run(
    db,
    sql`insert into reports (id, reporter_id, post_id, reason, created_at, case_id, resolved_at, resolved_by,
        outcome)
      select id, ${mira.id}, subject_id, 'It sells.', opened_at, id, resolved_at, resolved_by,
        case when resolved_at is not null then 'upheld' end
      from cases`,
  );
  await run(db, sql`alter table reports enable trigger user`);
  await database.pool.query("analyze");
  expect(await getQueueCounts(db, ines)).toEqual({ open: 100, pending: 0 });
  expect(await readOf("cases", () => getQueueCounts(db, ines))).toBeLessThanOrEqual(100);
  expect(await readOf("cases", () => getResponseTimes(db, ines, clock.at))).toBeLessThanOrEqual(2 * 500);
});
