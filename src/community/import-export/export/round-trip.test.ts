import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { getEvent } from "#community/calendar";
import {
  applyDueChanges,
  addComment,
  getDiscussion,
  NewComment,
  findMergedDiscussion,
  getPostFile,
  getPostsPage,
} from "#community/discussions";
import { getGroup, applyDueOpenings } from "#community/groups";
import { getResource, getCollection } from "#community/resources";
import { GUEST, type SignedIn } from "#community/rules";
import { deleteUnusedBytes } from "#community/uploads";
import { runImport, exportCommunity, resolveOldPath, createImportReport } from "../index.ts";
import {
  database,
  db,
  createDemoCommunity,
  emptyDatabase,
  folder,
  EXCLUDED_COLUMNS,
  readTables,
  transfer,
  within,
} from "../../../../test/support/import-export/second-community.ts";
import { importIntoSecondCommunity } from "../../../../test/support/import-export/imported-community.ts";

test(
  "members-only content and an unapproved group stay hidden after a round trip",
  { timeout: 60_000 },
  async () => {
    const t = await importIntoSecondCommunity();
    const hidden = { reason: "not-found" };
    await expect(getDiscussion(db, GUEST, t.among.discussion)).rejects.toMatchObject(hidden);
    await expect(getResource(db, GUEST, t.among.resource)).rejects.toMatchObject(hidden);
    await expect(getCollection(db, GUEST, t.among.collection)).rejects.toMatchObject(hidden);
    await expect(getGroup(db, GUEST, t.waiting)).rejects.toMatchObject(hidden);
    await expect(getEvent(db, GUEST, t.events.members)).rejects.toMatchObject(hidden);
    expect((await getEvent(db, GUEST, t.events.outside)).onlineUrl).toBe(null);
    expect((await getDiscussion(db, GUEST, t.open)).slowSeconds).toBe(60);
  },
);

test(
  "moved and removed posts keep their numbers and redirects; the accepted answer stays accepted",
  { timeout: 60_000 },
  async () => {
    const t = await importIntoSecondCommunity();
    const discussion = await getDiscussion(db, GUEST, t.open);
    expect([discussion.answer?.number, discussion.lastNumber, discussion.replies]).toEqual([7, 7, 3]);
    const { posts } = await getPostsPage(db, GUEST, discussion, { page: 1 });
    expect(
      posts.map(({ number, stub, replyTo, movedTo }) => [number, stub, replyTo?.number, movedTo?.title]),
    ).toEqual([
      [1, null, undefined, undefined],
      [2, "moved", undefined, "Something else"],
      // The post now is in a members-only group.
      [3, "moved", undefined, undefined],
      [4, "deleted", undefined, undefined],
      [5, "hidden", undefined, undefined],
      [6, null, undefined, undefined],
      [7, null, 4, undefined],
    ]);
    const movedPosts = sql`
    select s.number, x.body_md as to, x.number as at from posts s join posts x on x.id = s.moved_to
    where s.discussion_id = ${t.open} order by s.number`;
    expect(await many(db, movedPosts)).toEqual([
      { number: 2, to: "Beans, and who weeds?", at: 1 },
      { number: 3, to: "Who still owes me peas?", at: 2 },
    ]);
  },
);

test("pictures and mentions in texts survive a round trip", { timeout: 60_000 }, async () => {
  const t = await importIntoSecondCommunity();
  const { html } = await one(
    db,
    sql<{ html: string }>`select body_html as html from posts where id = ${t.pictured}`,
  );
  const [, called] = /<a href="\/users\/([^"]+)">@\w+<\/a> and <a href="\/groups\/[^"]+">@[\w-]+<\/a>/.exec(
    html,
  )!;
  const [, address] = /<img src="\/files\/([^"]+)" alt="Ripe" width="60" height="40"/.exec(html)!;
  const reader: SignedIn = { id: called!, role: "member", trust: "new", limited: false };
  const shown = await getPostFile(db, reader, address!);
  expect(await t.storage.sizeOf(shown.hash)).toBe(shown.size);
  await expect(getPostFile(db, GUEST, address!)).rejects.toMatchObject({ reason: "not-found" });
});

test(
  "addresses of merged discussions and their posts redirect after a round trip",
  { timeout: 60_000 },
  async () => {
    const t = await importIntoSecondCommunity();
    const { id } = await one(
      db,
      sql<{ id: string }>`select author_id as id from discussions where id = ${t.moons.into}`,
    );
    const author: SignedIn = { id, role: "member", trust: "new", limited: false };
    expect(await findMergedDiscussion(db, author, t.moons.merged, 1)).toMatchObject({
      discussion: { id: t.moons.into },
      post: 2,
    });
  },
);

test("former paths and usernames redirect after a round trip", { timeout: 60_000 }, async () => {
  const t = await importIntoSecondCommunity();
  const { id } = await one(
    db,
    sql<{ id: string }>`select person_id as id from former_usernames where username = 'mira-before'`,
  );
  expect(await resolveOldPath(db, GUEST, "/t/moons/12")).toEqual({ kind: "discussion", id: t.open });
  const { username } = await one(db, sql<{ username: string }>`select username from people where id = ${id}`);
  expect(username).toBe("mira");
});

test("audience settings never become wider after a round trip", { timeout: 60_000 }, async () => {
  const t = await createDemoCommunity();
  const saveSettings = (values: Record<string, string>) =>
    within(async (tx) => {
      for (const [key, value] of Object.entries(values))
        await run(
          tx,
          sql`insert into settings (key, value, changed_at)
            values (${key}, ${JSON.stringify(value)}::jsonb, ${tx.now})
              on conflict (key) do update set value = excluded.value`,
        );
    });
  const loadSettings = async () =>
    Object.fromEntries(
      (
        await many(
          db,
          sql<{
            key: string;
            value: unknown;
          }>`select key, value from settings where key = any(${Object.keys(MEMBERS_ONLY)})`,
        )
      ).map(({ key, value }) => [key, value]),
    );
  const MEMBERS_ONLY = { audience: "private", guestsSeePeople: "limited", registration: "approval" };
  await saveSettings(MEMBERS_ONLY);
  const path = join(await folder(), "a");
  await exportCommunity(t, path);
  const bring = async () => runImport(await transfer(), { format: "ndjson", path, check: false, by: null });

  await emptyDatabase();
  const importRun = await bring();
  expect([await loadSettings(), importRun.problems]).toEqual([MEMBERS_ONLY, 2]);
  expect(await createImportReport(db, importRun)).toContain(
    "The imported community is for members only, so this one is now too.",
  );
  expect(
    await many(db, sql`select payload ->> 'keys' as keys from outbox where type = 'settings.changed'`),
  ).toEqual([{ keys: "audience,guestsSeePeople" }]);
  // An admin widens the audience; importing the same archive again does not change it back.
  await saveSettings({ audience: "public" });
  await bring();
  expect(await loadSettings()).toEqual({ ...MEMBERS_ONLY, audience: "public" });

  await emptyDatabase();
  await saveSettings({ audience: "public", guestsSeePeople: "hidden", registration: "open" });
  await bring();
  expect(await loadSettings()).toEqual({
    audience: "private",
    guestsSeePeople: "hidden",
    registration: "open",
  });
});

test("scheduled changes happen at their time after a round trip", { timeout: 60_000 }, async () => {
  const { ahead } = await importIntoSecondCommunity();
  const jobs = await many(
    db,
    sql<{ at: Date }>`select run_at as at from graphile_worker.jobs where task_identifier = 'due' order by 1`,
  );
  const promised = await many(
    db,
    sql<{ at: Date }>`
      select timer_at as at from discussions where timer_at is not null union select wider_at from groups
      where wider_at is not null
      union select remind_at from bookmarks where remind_at is not null union select banned_until
      from memberships where banned_until is not null order by 1`,
  );
  expect(promised.length).toBeGreaterThan(4);
  expect(jobs).toEqual(promised);
  database.clock.pass(7 * DAY);
  await within(applyDueChanges);
  await within(applyDueOpenings);
  expect((await getGroup(db, GUEST, ahead.opens)).visibility).toBe("public");
  const { state } = await one(
    db,
    sql<{
      state: unknown;
    }>`select json_agg(locked_reason order by title) as state from discussions
      where group_id = ${ahead.opens}`,
  );
  expect(state).toEqual(["The sale is over then.", null]);
});

test(
  "an infected file is left out of a round trip, but everything that used it survives",
  { timeout: 60_000 },
  async () => {
    const t = await createDemoCommunity();
    const { hash, resource, owner } = await one(
      db,
      sql<{ hash: string; resource: string; owner: string }>`
      select u.hash, r.id as resource, r.owner_id as owner from uploads u
      join resources r on r.upload_id = u.id where r.state = 'published' order by 2 limit 1`,
    );
    const me: SignedIn = { id: owner, role: "member", trust: "established", limited: false };
    await within((tx) =>
      addComment(tx, me, NewComment.parse({ resourceId: resource, body: "My machine says no." })),
    );
    await within((tx) => run(tx, sql`update uploads set state = 'quarantined' where hash = ${hash}`));
    await deleteUnusedBytes(t, hash);
    const before = await readTables();
    const path = join(await folder(), "a");
    expect((await exportCommunity(t, path)).missing).toBe(0);
    await emptyDatabase();
    const there = await transfer();
    const looked = await runImport(there, { format: "ndjson", path, check: true, by: null });
    const importRun = await runImport(there, { format: "ndjson", path, check: false, by: null });
    expect([importRun.problems, looked.problems]).toEqual([0, 0]);
    const after = await readTables();
    for (const table of Object.keys(EXCLUDED_COLUMNS))
      expect([table, after[table]]).toEqual([table, before[table]]);
    const found = await one(
      db,
      sql`select u.state, r.comments_count as comments from resources r join uploads u on u.id = r.upload_id
      where r.id = ${resource}`,
    );
    expect([found, await there.storage.sizeOf(hash)]).toEqual([{ state: "quarantined", comments: 1 }, null]);
  },
);

/** Texts with line breaks, and with a wide gap, in every short field. */
const IN_LINES: Record<string, string[]> = {
  people: ["display_name", "pronouns", "location", "photo_alt"],
  groups: ["name", "purpose", "topic", "header_alt", "photo_alt"],
  memberships: ["reason"],
  friendships: ["note"],
  discussions: ["title"],
  discussion_entries: ["reason"],
  bookmarks: ["note"],
  posts: ["removed_reason"],
  post_revisions: ["reason"],
  conversations: ["name"],
  uploads: ["alt"],
  resources: ["title", "why", "site_name", "licence"],
  resource_versions: ["note"],
  collections: ["title"],
};

test("line breaks and repeated spaces in short texts survive a round trip", { timeout: 60_000 }, async () => {
  const t = await createDemoCommunity();
  await within(async (tx) => {
    for (const [table, columns] of Object.entries(IN_LINES))
      for (const column of columns)
        await run(
          tx,
          sql`update ${sql.table(table)} set ${sql.ref(column)} = E'On  one,\nand on another'
            where ${sql.ref(column)} <> ''`,
        );
    const fields = [{ label: "Ask  me", value: "about seeds\nand soil", audience: "members" }];
    await run(tx, sql`update people set fields = ${JSON.stringify(fields)}::jsonb where state = 'active'`);
  });
  const before = await readTables();
  const path = join(await folder(), "a");
  await exportCommunity(t, path);
  await emptyDatabase();
  await runImport(await transfer(), { format: "ndjson", path, check: false, by: null });
  const after = await readTables();
  for (const table of Object.keys(IN_LINES)) expect([table, after[table]]).toEqual([table, before[table]]);
});
