import { expect, test } from "vitest";
import { listAccounts, listDirectory } from "#community/accounts";
import { listConversations, type InboxTab } from "#community/conversations";
import { listCases, listSiteLog } from "#community/moderation";
import { getPageSidebar, listNotifications } from "#community/notifications";
import { getResourceFacets, listResources } from "#community/resources";
import { LIMITS, type SignedIn } from "#community/rules";
import { run, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { createPlanReader } from "../support/postgres/query-plans.ts";
import { testDatabase } from "../support/setup/test-database.ts";

// A list reads about as many rows as its page shows, however long it is.

const database = await testDatabase();
const { db } = database;
const { readOf } = createPlanReader(database.pool);
const PAGE = LIMITS.page.cards + 1;

/** Creates people who only fill lists. */
const createCrowd = (count: number) =>
  run(
    db,
    sql`insert into people (id, username, display_name, state, created_at) select gen_random_uuid(),
      'crowd-' || n, 'Crowd', 'active', now() from generate_series(1, ${count}::int) n`,
  );

/**
 * Creates a direct conversation of two messages with each of these people; every fifth is unread, every tenth
 * is archived.
 */
async function createConversations(me: SignedIn): Promise<void> {
  await run(
    db,
    sql`insert into conversations (id, kind, creator_id, pair, last_seq, last_message_at, created_at)
        select gen_random_uuid(), 'direct', id, id || ':' || ${me.id}, 2, now() - random() * interval '1 year',
          now() from people where username like 'crowd-%'`,
  );
  await run(
    db,
    sql`insert into participants (conversation_id, person_id, last_read_seq, last_seq, last_message_at,
          archived_at, joined_at)
        select id, person_id::uuid, case when n % 5 = 0 then 0 else 2 end, 2, last_message_at,
          case when n % 10 = 1 then now() end, now()
        from (select *, row_number() over (order by id) as n from conversations) c,
          unnest(string_to_array(pair, ':')) person_id`,
  );
}

test("inbox and conversation sidebar read rows in index order, not the whole table", async () => {
  const { mira } = await createTestUsers(database);
  await createCrowd(2_000);
  await createConversations(mira);
  await database.pool.query("analyze");
  // The other participants of each shown row are read too.
  for (const tab of ["all", "unread"] satisfies InboxTab[]) {
    const { next } = await listConversations(db, mira, { tab });
    for (const after of ["", next!])
      expect(await readOf("participants", () => listConversations(db, mira, { tab, after }))).toBeLessThan(
        PAGE * 6,
      );
  }
  // Eight conversations, and a hundred unread ones are counted.
  expect(await readOf("participants", () => getPageSidebar(db, mira))).toBeLessThan(200);
});

test("notifications are read in index order, with their objects", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, people.tomas, group.id);
  await run(
    db,
    sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
        select gen_random_uuid(), ${id}, n, ${people.tomas.id}, '', '', now() from generate_series(2, 5000) n`,
  );
  await run(
    db,
    sql`insert into notifications (id, person_id, kind, object_kind, object_id, latest_id, reason, created_at,
          updated_at, read_at)
        select gen_random_uuid(), ${people.mira.id}, 'reply', 'discussion', ${id}, id, 'watching', now(),
          now() - number * interval '1 minute', now() from posts`,
  );
  await database.pool.query("analyze");
  const ask = () => listNotifications(db, people.mira, { tab: "all" });
  expect((await ask()).rows).toHaveLength(LIMITS.page.discussions);
  for (const table of ["notifications", "posts"]) expect(await readOf(table, ask)).toBeLessThan(50);
});

test("library is read in index order, and counts only the latest thousand resources", async () => {
  const people = await createTestUsers(database);
  const { mira } = people;
  const group = await createTestGroup(database, people);
  await run(
    db,
    sql`insert into resources (id, kind, group_id, owner_id, title, tags, created_at)
        select gen_random_uuid(), 'document', case when n % 2 = 0 then ${group.id}::uuid end, ${mira.id},
          'Sheet ' || n, array['tag-' || n % 40], now() - n * interval '1 hour'
        from generate_series(1, 10000) n`,
  );
  await database.pool.query("analyze");
  const ask = () => listResources(db, mira, {});
  expect(await readOf("resources", ask)).toBeLessThan(PAGE * 3);
  const count = () => getResourceFacets(db, mira, {});
  expect(await readOf("resources", count)).toBeLessThanOrEqual(1_000);
  expect((await count()).owners).toMatchObject([{ value: mira.id, count: 1_000 }]);
});

test("people in the directory and in the admin list are read in index order", async () => {
  const { mira, ada } = await createTestUsers(database);
  await createCrowd(20_000);
  await database.pool.query("analyze");
  for (const ask of [() => listDirectory(db, mira, {}), () => listAccounts(db, ada, {})])
    expect(await readOf("people", ask)).toBeLessThan(500);
});

test("cases and the audit log are read in index order", async () => {
  const people = await createTestUsers(database);
  const { ada, tomas } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, tomas, group.id);
  await createCrowd(5_000);
  await run(
    db,
    sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
        select gen_random_uuid(), ${id}, n, ${tomas.id}, '', '', now() from generate_series(2, 5001) n`,
  );
  await run(db, sql`alter table reports disable trigger reports_set_risk`);
  // The rows are inserted in portions: the trigger that opens cases plans its queries anew once the table has
  // grown.
  for (let from = 2; from <= 5_001; from += 500) {
    await run(
      db,
      sql`insert into reports (id, reporter_id, post_id, reason, created_at)
          select gen_random_uuid(), p.id, x.id, 'Rude', now() - number * interval '1 minute'
          from posts x join people p on p.username = 'crowd-' || number - 1
          where x.discussion_id = ${id} and x.number between ${from}::integer and ${from}::integer + 499`,
    );
    await run(
      db,
      sql`insert into reports (id, reporter_id, reason, created_at)
          select gen_random_uuid(), ${tomas.id}, 'Rude', now() - n * interval '1 hour'
          from generate_series(${from}::integer, ${from}::integer + 499) n`,
    );
    await database.pool.query("analyze cases");
  }
  await run(db, sql`alter table reports enable trigger reports_set_risk`);
  await run(
    db,
    sql`insert into audit_events (id, at, actor_id, act, object_kind, object_id, details)
        select gen_random_uuid(), now() - n * interval '1 minute', ${tomas.id}, 'post.removed', 'post',
          gen_random_uuid()::text, jsonb_build_object('groupId', ${group.id}::text)
        from generate_series(1, 20000) n`,
  );
  await run(
    db,
    sql`update cases set reports_count = 1 + (hashtext(id::text) & 7),
      risk = hashtext(id::text) & 127 where ${true}`,
  );
  await database.pool.query("analyze");
  const reports = () => listCases(db, ada, { tab: "open" });
  for (const sort of ["risk", "newest", "oldest", "reports"] as const) {
    const { next } = await listCases(db, ada, { tab: "open", sort });
    for (const after of [undefined, next!])
      for (const table of ["cases", "reports", "people"])
        expect(await readOf(table, () => listCases(db, ada, { tab: "open", sort, after }))).toBeLessThan(
          PAGE * 60,
        );
  }
  const empty = await createTestGroup(database, people);
  for (const inGroup of [empty.id, group.id])
    expect(await readOf("cases", () => listCases(db, ada, { tab: "open", inGroup }))).toBeLessThan(100);
  const log = () => listSiteLog(db, ada, {});
  for (const table of ["reports", "people", "posts"])
    expect(await readOf(table, reports)).toBeLessThan(1_000);
  for (const table of ["audit_events", "people"]) expect(await readOf(table, log)).toBeLessThan(300);
});
