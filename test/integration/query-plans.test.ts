import { expect, test } from "vitest";
import { bulkCreateObjects, createTable, findPage, withTable, createDataTableStore } from "#baas/data";
import { getConversation, listSharedFiles, startConversation } from "#community/conversations";
import { purgeDrafts, listTopDiscussions } from "#community/discussions";
import { getGroup, listGroups, UNREAD_LOOK_BACK, listRelatedGroups } from "#community/groups";
import { getHomeSidebar, getPageSidebar } from "#community/notifications";
import { listResources } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { run, sql } from "#platform/database";
import { createTestGroup, createTestUsers } from "../support/test-users.ts";
import { runRepeatedly, countCachedPlanUses } from "../support/postgres/cached-plans.ts";
import { createPlanReader, captureQuery } from "../support/postgres/query-plans.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const SERVER = { userId: null, roles: [], server: true };
const database = await testDatabase();
const { db, inTransaction: within } = database;
const { planOf, readOf } = createPlanReader(database.pool);

test("related groups are computed from samples of members and of their groups", async () => {
  const { mira, tomas, noor } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  await run(
    db,
    sql`insert into people (id, username, display_name, state, created_at) select gen_random_uuid(),
      'member-' || n, 'Member', 'active', now() from generate_series(1, 3000) n`,
  );
  await run(
    db,
    sql`insert into groups (id, slug, name, visibility, join_policy, created_at, last_active_at)
        select gen_random_uuid(), 'bed-' || n, 'Bed', 'public', 'open', now(), now()
        from generate_series(1, 200) n`,
  );
  await run(
    db,
    sql`insert into memberships (group_id, person_id, state, joined_at, changed_at)
        select ${group.id}::uuid, id, 'member', now(), now() from people where username like 'member-%'
        union all select g.id, p.id, 'member', now(), now() from groups g, people p
        where g.slug like 'bed-%'
          and (p.id = ${tomas.id} or (p.username like 'member-%'
            and right(g.slug, 1) = right(p.username, 1)))`,
  );
  await database.pool.query("analyze");
  const found = await getGroup(db, noor, group.id);
  expect(await listRelatedGroups(db, noor, found)).toHaveLength(5);
  // Each of 500 members is in 21 groups, except the owner, who is in all and comes first; the viewer may be
  // in 100 of the nearby ones.
  expect(await readOf("memberships", () => listRelatedGroups(db, noor, found))).toBeLessThanOrEqual(
    500 + 499 * 21 + 50 + 100,
  );
});

test("read positions cost no more for a person who has many", async () => {
  const { mira, tomas } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  await run(
    db,
    sql`insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
      last_post_by, created_at)
        select gen_random_uuid(), ${group.id}, ${tomas.id}, 'Bed number ' || n, 2, 2,
          now() + n * interval '1 minute', ${tomas.id}, now() from generate_series(1, 300) n`,
  );
  await run(
    db,
    sql`insert into people (id, username, display_name, state, created_at) select gen_random_uuid(),
      'reader-' || n, 'Reader', 'active', now() from generate_series(1, 3000) n`,
  );
  await run(
    db,
    sql`insert into read_positions (person_id, discussion_id, last_read_number, read_at)
        select id, (select id from discussions where group_id = ${group.id} limit 1), 1, now() from people
        where username like 'reader-%'
        union all select ${mira.id}, id, 2, now() from discussions where group_id = ${group.id}`,
  );
  await database.pool.query("analyze");
  expect(await readOf("read_positions", () => getPageSidebar(db, mira))).toBeLessThanOrEqual(
    UNREAD_LOOK_BACK,
  );
});

test("the year's top discussions are found without scanning all discussions", async () => {
  const { mira, tomas, guest } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  const { at } = database.clock;
  await run(
    db,
    sql`insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
      last_post_by, created_at)
        select gen_random_uuid(), ${group.id}, ${mira.id}, 'Bed number ' || n, 1 + n * 7919 % 3000, 1,
          ${at}::timestamptz - n % 1000 * interval '1 day', ${mira.id},
          ${at}::timestamptz - interval '3 years'
        from generate_series(1, 10000) n`,
  );
  await database.pool.query("analyze discussions");
  for (const viewer of [mira, guest])
    expect(await planOf(() => listTopDiscussions(db, viewer, { span: "year", now: at }))).toContain(
      "discussions_top",
    );
});

test("old drafts are found without scanning all drafts", async () => {
  const { mira } = await createTestUsers(database);
  await run(
    db,
    sql`insert into drafts (person_id, place, data, saved_at)
        select ${mira.id}, 'discussion:' || gen_random_uuid(), '{}',
          ${database.clock.at}::timestamptz - n * interval '1 hour' from generate_series(1, 10000) n`,
  );
  await database.pool.query("analyze drafts");
  expect(await within((tx) => planOf(() => purgeDrafts(tx)))).toContain("drafts_by_age");
});

test.for([
  ["active", "groups_by_activity"],
  ["members", "groups_by_members"],
  ["newest", "groups_by_age"],
  ["name", "groups_by_name"],
] as const)(
  "groups to discover are read page by page in index order, sorted by %s",
  async ([sort, index]) => {
    const { mira, guest } = await createTestUsers(database);
    await run(
      db,
      sql`insert into groups (id, slug, name, visibility, join_policy, members_count, created_at,
      last_active_at)
        select gen_random_uuid(), 'beds-' || n, 'Beds ' || n, case n % 10 when 0 then 'secret'
          when 1 then 'private' else 'public' end,
          case when n % 10 = 0 then 'invite' when n % 3 = 0 then 'request' else 'open'
            end, n * 7919 % 500, now() - n * interval '1 hour',
          now() - n * 7919 % 3000 * interval '1 hour'
        from generate_series(1, 10000) n`,
    );
    await database.pool.query("analyze groups");
    for (const viewer of [mira, guest])
      for (const filters of [
        {},
        { joinPolicy: "open" as const },
        { active: { within: "month" as const, now: new Date() } },
      ]) {
        const query = { tab: "discover" as const, sort, ...filters };
        const { next } = await listGroups(db, viewer, query);
        for (const after of ["", next!]) {
          const ask = () => listGroups(db, viewer, { ...query, after });
          if (!("active" in filters)) expect(await planOf(ask)).toContain(index);
          expect(await readOf("groups", ask)).toBeLessThan("active" in filters ? 1_000 : 200);
        }
      }
  },
);

test("attachments are found without scanning all messages", async () => {
  const { mira } = await createTestUsers(database);
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) =>
    startConversation(tx, mira, { to: ["tomas"], name: "", body: "Look." }),
  );
  await run(
    db,
    sql`insert into messages (id, conversation_id, seq, author_id, body_md, body_html, created_at)
        select gen_random_uuid(), ${id}, n, ${mira.id}, '', case when n % 500 = 0 then '<img src="/files/a">'
          else '<p>Look.</p>' end, now()
        from generate_series(2, 10000) n`,
  );
  // Adds as many files to other conversations.
  await run(
    db,
    sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
        select gen_random_uuid(), ${mira.id}, '', 1, 'image/webp', 'message', gen_random_uuid(), now()
        from generate_series(1, 10000)`,
  );
  await database.pool.query("analyze messages, uploads");
  const conversation = await getConversation(db, mira, id);
  for (const what of ["pictures", "files"] as const)
    expect(await planOf(() => listSharedFiles(db, mira, conversation, { what }))).toContain(
      "messages_with_attachments",
    );
});

/** True when PostgreSQL keeps a plan for the query. */
async function keepsPlanOf(ask: () => Promise<unknown>): Promise<boolean> {
  const { text } = await captureQuery(ask);
  await runRepeatedly(ask);
  return (await countCachedPlanUses(database.pool, text.replace(/[\\%_]/g, "\\$&"))) > 0;
}

test.for([
  [
    "sidebar of the home page",
    (asked: typeof db, viewer: SignedIn) => getHomeSidebar(asked, viewer, database.clock.at),
  ],
  ["sidebar of every page", getPageSidebar],
  ["the library", (asked: typeof db, viewer: SignedIn) => listResources(asked, viewer, {})],
] as const)("%s keeps the same query plan for large tables", async ([, ask]) => {
  const { mira } = await createTestUsers(database);
  await run(
    db,
    sql`insert into resources (id, kind, owner_id, title, url, created_at)
        select gen_random_uuid(), 'link', ${mira.id}, 'Leeks ' || n, 'https://leeks.example/' || n, now()
        from generate_series(1, 20000) n`,
  );
  await database.pool.query("analyze");
  expect(await keepsPlanOf(() => ask(db, mira))).toBe(true);
});

test("the first page of a sorted table reuses a cached query plan", async () => {
  const tables = createDataTableStore({ database, dynamicSchema: false });
  await createTable(tables, { name: "Much", columns: [{ name: "rank", dataType: "INT", indexed: true }] });
  await bulkCreateObjects(
    tables,
    SERVER,
    "Much",
    Array.from({ length: 10_000 }, (_, rank) => ({ rank })),
  );
  await database.pool.query("analyze");
  await runRepeatedly((rank) =>
    withTable(tables, "Much", (table) =>
      findPage(tables, SERVER, table, { where: `rank >= ${rank}`, sortBy: "rank" }),
    ),
  );
  expect(await countCachedPlanUses(database.pool, '/* asked */ %"rank":%')).toBeGreaterThan(0);
});
