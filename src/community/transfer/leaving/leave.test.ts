import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { carryOutDue, comment, discussionFor, NewComment, nowAt, postFileFor, postsOf } from "#community/discussions";
import { groupFor, openWhatIsDue } from "#community/groups";
import { resourceFor, shelfFor } from "#community/resources";
import { GUEST, type SignedIn } from "#community/rules";
import { forgetBytes } from "#community/uploads";
import { testDatabase } from "../../../../test/setup/database.ts";
import { scenery } from "../archive.fixture.ts";
import { bringIn, leave, movedTo, reportOf } from "../index.ts";
import { NOT_IN_IT } from "./not-in-it.fixture.ts";
import { aWholeCommunity } from "./scene.fixture.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { folder, transfer } = scenery(database);

const demo = async () => aWholeCommunity(database, await folder());

/** What an archive carries of each table. What an account may do, and how it signs in, is no part of it. */
const LEFT_OUT: Record<string, string[]> = {
  people: ["password_hash", "password_changed_at", "site_role", "trust", "state", "email", "email_confirmed_at", "seen_at", "updated_at"],
  groups: [],
  group_rules_before: [],
  group_start_items: ["id"],
  memberships: [],
  friendships: [],
  blocks: [],
  mutes: [],
  discussions: [],
  discussion_lines: [],
  former_discussions: [],
  former_posts: [],
  bookmarks: [],
  posts: [],
  post_revisions: [],
  post_mentions: ["created_at"],
  polls: [],
  poll_options: [],
  poll_votes: [],
  reactions: [],
  read_states: [],
  conversations: [],
  participants: [],
  conversation_lines: [],
  messages: [],
  hidden_messages: [],
  message_reactions: [],
  uploads: [],
  resources: [],
  resource_versions: [],
  resource_uses: [],
  collections: [],
  collection_items: [],
  collection_curators: [],
  resource_follows: [],
  resource_bookmarks: [],
  settings: ["changed_at", "changed_by"],
  old_addresses: ["run_id"],
  former_usernames: [],
  mail_stops: [],
  notification_choices: [],
  notification_settings: ["digest_sent_at"],
};

const tables = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(LEFT_OUT).map(async ([table, without]) => {
        const rows = await many(
          db,
          sql<{ row: string }>`select (to_jsonb(t) - ${without}::text[])::text as row from ${sql.table(table)} t order by 1`,
        );
        return [table, rows.map(({ row }) => JSON.parse(row) as unknown)] as const;
      }),
    ),
  );

test("every table leaves, or is named as what does not, with the reason", async () => {
  const known = [...Object.keys(LEFT_OUT), "ghosts", ...Object.values(NOT_IN_IT).flat()];
  const all = await many(
    db,
    sql<{
      name: string;
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  expect(known.toSorted()).toEqual(all.map(({ name }) => name));
  const told = (await readFile("docs/interchange.md", "utf8")).split("\nNot in it:\n")[1]!.trim().split("\n\n")[0]!;
  expect(
    told
      .split("\n")
      .slice(2)
      .map((row) => row.split("|")[1]!.trim()),
  ).toEqual(Object.keys(NOT_IN_IT));
});

/** Every file below a folder, by the hash of its bytes. */
async function bytesOf(path: string): Promise<Record<string, string>> {
  const names = (await stat(path)).isDirectory()
    ? (await readdir(path, { recursive: true, withFileTypes: true })).filter((it) => it.isFile())
    : [];
  const paths = names.map((it) => join(it.parentPath, it.name)).sort();
  const all = await Promise.all(
    (paths.length > 0 ? paths : [path]).map(
      async (it) =>
        [
          it.slice(path.length),
          createHash("sha256")
            .update(await readFile(it))
            .digest("hex"),
        ] as const,
    ),
  );
  return Object.fromEntries(all);
}

const empty = () =>
  within(async (tx) => {
    await run(tx, sql`set local session_replication_role = replica`);
    for (const table of [...Object.keys(LEFT_OUT), "imported", "import_runs", "ghosts", "outbox"])
      await run(tx, sql`delete from ${sql.table(table)}`);
    await run(tx, sql`delete from graphile_worker._private_jobs`);
  });

/** A whole community that has left, and come to an empty place. */
async function elsewhere() {
  const t = await demo();
  const path = join(await folder(), "a");
  await leave(t, path);
  await empty();
  const there = await transfer();
  await bringIn(there, { format: "ndjson", path, check: false, by: null });
  return { ...t, storage: there.storage };
}

test(
  "a community that leaves and comes again is the same, row by row, and leaves the same again, byte by byte",
  { timeout: 60_000 },
  async () => {
    const t = await demo();
    const before = await tables();
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const [first, again, later] = [join(await folder(), "a"), join(await folder(), "b"), join(await folder(), "c")];
    const left = await leave(t, first);
    await leave(t, again);
    expect(await bytesOf(again)).toEqual(await bytesOf(first));

    await empty();
    const there = await transfer();
    const came = await bringIn(there, { format: "ndjson", path: first, check: false, by: null });
    expect([came.state, came.problems]).toEqual(["done", 0]);
    expect(Object.fromEntries(Object.entries(came.counts).map(([kind, { made }]) => [kind, made]))).toEqual(left.records);
    const after = await tables();
    for (const table of Object.keys(LEFT_OUT)) expect([table, after[table]]).toEqual([table, before[table]]);

    await leave(there, later);
    expect(await bytesOf(later)).toEqual(await bytesOf(first));
  },
);

test("what only members read, and a group that was not let in, stay so where they come to", { timeout: 60_000 }, async () => {
  const t = await elsewhere();
  const hidden = { reason: "not-found" };
  await expect(discussionFor(db, GUEST, t.among.discussion)).rejects.toMatchObject(hidden);
  await expect(resourceFor(db, GUEST, t.among.resource)).rejects.toMatchObject(hidden);
  await expect(shelfFor(db, GUEST, t.among.shelf)).rejects.toMatchObject(hidden);
  await expect(groupFor(db, GUEST, t.waiting)).rejects.toMatchObject(hidden);
  expect((await discussionFor(db, GUEST, t.open)).slowSeconds).toBe(60);
});

test(
  "places of what moved or was taken away keep their numbers, and lead on; the answer is still the answer",
  { timeout: 60_000 },
  async () => {
    const t = await elsewhere();
    const discussion = await discussionFor(db, GUEST, t.open);
    expect([discussion.answer?.number, discussion.lastNumber, discussion.replies]).toEqual([7, 7, 3]);
    const { posts } = await postsOf(db, GUEST, discussion, { page: 1 });
    expect(posts.map(({ number, stub, replyTo, movedTo }) => [number, stub, replyTo?.number, movedTo?.title])).toEqual([
      [1, null, undefined, undefined],
      [2, "moved", undefined, "Something else"],
      // Where it is now, only members read.
      [3, "moved", undefined, undefined],
      [4, "deleted", undefined, undefined],
      [5, "hidden", undefined, undefined],
      [6, null, undefined, undefined],
      [7, null, 4, undefined],
    ]);
    const ways = sql`
    select s.number, x.body_md as to, x.number as at from posts s join posts x on x.id = s.moved_to where s.discussion_id = ${t.open} order by s.number`;
    expect(await many(db, ways)).toEqual([
      { number: 2, to: "Beans, and who weeds?", at: 1 },
      { number: 3, to: "Who still owes me peas?", at: 2 },
    ]);
  },
);

test("whoever reads a text sees what stands in it where it comes to, and whom it calls", { timeout: 60_000 }, async () => {
  const t = await elsewhere();
  const { html } = await one(db, sql<{ html: string }>`select body_html as html from posts where id = ${t.pictured}`);
  const [, called] = /<a href="\/users\/([^"]+)">@\w+<\/a> and <a href="\/groups\/[^"]+">@[\w-]+<\/a>/.exec(html)!;
  const [, address] = /<img src="\/files\/([^"]+)" alt="Ripe" width="60" height="40"/.exec(html)!;
  const reader: SignedIn = { id: called!, role: "member", trust: "new", limited: false };
  const shown = await postFileFor(db, reader, address!);
  expect(await t.storage.sizeOf(shown.hash)).toBe(shown.size);
  await expect(postFileFor(db, GUEST, address!)).rejects.toMatchObject({ reason: "not-found" });
});

test(
  "the address of a discussion that was merged into another, and of each post in it, leads on where it comes to",
  { timeout: 60_000 },
  async () => {
    const t = await elsewhere();
    const { id } = await one(db, sql<{ id: string }>`select author_id as id from discussions where id = ${t.moons.into}`);
    const author: SignedIn = { id, role: "member", trust: "new", limited: false };
    expect(await nowAt(db, author, t.moons.merged, 1)).toMatchObject({ discussion: { id: t.moons.into }, post: 2 });
  },
);

test("addresses and user names from before lead on where it comes to", { timeout: 60_000 }, async () => {
  const t = await elsewhere();
  const { id } = await one(db, sql<{ id: string }>`select person_id as id from former_usernames where username = 'mira-before'`);
  expect(await movedTo(db, GUEST, "/t/moons/12")).toEqual({ kind: "discussion", id: t.open });
  const { username } = await one(db, sql<{ username: string }>`select username from people where id = ${id}`);
  expect(username).toBe("mira");
});

test("who reads it, and what guests see of its people, is never more where it comes to", { timeout: 60_000 }, async () => {
  const t = await demo();
  const says = (values: Record<string, string>) =>
    within(async (tx) => {
      for (const [key, value] of Object.entries(values))
        await run(
          tx,
          sql`insert into settings (key, value, changed_at) values (${key}, ${JSON.stringify(value)}::jsonb, ${tx.now})
              on conflict (key) do update set value = excluded.value`,
        );
    });
  const said = async () =>
    Object.fromEntries(
      (
        await many(db, sql<{ key: string; value: unknown }>`select key, value from settings where key = any(${Object.keys(MEMBERS_ONLY)})`)
      ).map(({ key, value }) => [key, value]),
    );
  const MEMBERS_ONLY = { audience: "private", guestsSeePeople: "limited", registration: "approval" };
  await says(MEMBERS_ONLY);
  const path = join(await folder(), "a");
  await leave(t, path);
  const bring = async () => bringIn(await transfer(), { format: "ndjson", path, check: false, by: null });

  await empty();
  const came = await bring();
  expect([await said(), came.problems]).toEqual([MEMBERS_ONLY, 2]);
  expect(await reportOf(db, came)).toContain("Only members read the place that this is of: so it is here from now on.");
  expect(await many(db, sql`select payload ->> 'keys' as keys from outbox where type = 'settings.changed'`)).toEqual([
    { keys: "audience,guestsSeePeople" },
  ]);
  // An admin opens it: bringing the same in again changes nothing of that.
  await says({ audience: "public" });
  await bring();
  expect(await said()).toEqual({ ...MEMBERS_ONLY, audience: "public" });

  await empty();
  await says({ audience: "public", guestsSeePeople: "hidden", registration: "open" });
  await bring();
  expect(await said()).toEqual({ audience: "private", guestsSeePeople: "hidden", registration: "open" });
});

test("what is to happen at a moment happens then where it comes to", { timeout: 60_000 }, async () => {
  const { ahead } = await elsewhere();
  const woken = await many(db, sql<{ at: Date }>`select run_at as at from graphile_worker.jobs where task_identifier = 'due' order by 1`);
  const promised = await many(
    db,
    sql<{ at: Date }>`
      select timer_at as at from discussions where timer_at is not null union select wider_at from groups where wider_at is not null
      union select remind_at from bookmarks where remind_at is not null union select banned_until from memberships where banned_until is not null order by 1`,
  );
  expect(promised.length).toBeGreaterThan(4);
  expect(woken).toEqual(promised);
  database.clock.pass(7 * DAY);
  await within(carryOutDue);
  await within(openWhatIsDue);
  expect((await groupFor(db, GUEST, ahead.opens)).visibility).toBe("public");
  const { state } = await one(
    db,
    sql<{ state: unknown }>`select json_agg(locked_reason order by title) as state from discussions where group_id = ${ahead.opens}`,
  );
  expect(state).toEqual(["The sale is over then.", null]);
});

test("it can come back to where it is: everything is here already", { timeout: 60_000 }, async () => {
  const t = await demo();
  const before = await tables();
  const path = join(await folder(), "all.zip");
  await leave(t, path);
  const came = await bringIn(t, { format: "ndjson", path, check: false, by: null });
  expect(
    Object.values(came.counts)
      .flatMap(({ refused = 0 }) => refused)
      .reduce((all, one) => all + one, 0),
  ).toBe(0);
  expect(await tables()).toEqual(before);
});

test("a zip is the same as a folder, and the same twice", { timeout: 60_000 }, async () => {
  const t = await demo();
  const [one, two] = [join(await folder(), "a.zip"), join(await folder(), "b.zip")];
  const left = await leave(t, one);
  await leave(t, two);
  expect(Object.values(await bytesOf(two))).toEqual(Object.values(await bytesOf(one)));
  await empty();
  const came = await bringIn(await transfer(), { format: "ndjson", path: one, check: false, by: null });
  expect([came.problems, came.counts.file?.made]).toEqual([0, left.records["file"]]);
  expect(await readdir(join(one, ".."))).toEqual(["a.zip"]);
});

test("carries no password and no role, nobody who never arrived, and nothing of who has left but what they wrote", async () => {
  const t = await demo();
  await within(async (tx) => {
    await run(tx, sql`update people set password_hash = 'secret-hash', bio_md = 'A life.' where username = 'tomas'`);
    await run(tx, sql`update people set state = 'deactivated', deactivated_at = ${tx.now} where username = 'tomas'`);
    await run(
      tx,
      sql`update people set state = 'unverified' where username = (select username from people p where not exists (select from posts where author_id = p.id) limit 1)`,
    );
    await run(tx, sql`update groups set state = 'deleted' where slug = 'long-beds'`);
    const of = sql`select id from people where username = 'mira'`;
    await run(
      tx,
      sql`insert into people (id, username, display_name, state, site_role, trust, locale, time_zone, theme, pronouns, location, bio_md, bio_html, fields, privacy,
            photo_alt, header_alt, header_style, join_reason, mail_level, created_at)
          select ${tx.newId()}, 'guest.00ff00', 'Guest', 'guest', site_role, trust, locale, time_zone, theme, '', '', '', '', fields, privacy,
            '', '', header_style, '', mail_level, ${tx.now} from people where id = (${of})`,
    );
  });
  const path = join(await folder(), "a");
  const { records } = await leave(t, path);
  const text = await readFile(join(path, "community.ndjson"), "utf8");
  for (const secret of ["secret-hash", "A life.", "tomas@example.org", '"admin"', "long-beds", "guest.00ff00"])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(records["user"]).toBeGreaterThan(10);
  const came = await bringIn(await transfer(), { format: "ndjson", path, check: true, by: null });
  expect(came.problems).toBe(0);
});

test("can be read by its owner alone", async () => {
  const t = await demo();
  const root = await folder();
  await leave(t, join(root, "a"));
  await leave(t, join(root, "b.zip"));
  const all = (await readdir(root, { recursive: true, withFileTypes: true })).map((it) => join(it.parentPath, it.name));
  const modes = await Promise.all(
    all.map(async (it) => [(await stat(it)).isDirectory(), ((await stat(it)).mode & 0o777).toString(8)].join(" ")),
  );
  expect([all.length > 10, [...new Set(modes)].sort()]).toEqual([true, ["false 600", "true 700"]]);
});

test("a file in which something harmful was found is gone, and all that had it is whole", { timeout: 60_000 }, async () => {
  const t = await demo();
  const { hash, resource, keeper } = await one(
    db,
    sql<{ hash: string; resource: string; keeper: string }>`
      select u.hash, r.id as resource, r.keeper_id as keeper from uploads u join resources r on r.upload_id = u.id where r.state = 'published' order by 2 limit 1`,
  );
  const me: SignedIn = { id: keeper, role: "member", trust: "established", limited: false };
  await within((tx) => comment(tx, me, NewComment.parse({ resourceId: resource, body: "My machine says no." })));
  await within((tx) => run(tx, sql`update uploads set state = 'quarantined' where hash = ${hash}`));
  await forgetBytes(t, hash);
  const before = await tables();
  const path = join(await folder(), "a");
  expect((await leave(t, path)).missing).toBe(0);
  await empty();
  const there = await transfer();
  const looked = await bringIn(there, { format: "ndjson", path, check: true, by: null });
  const came = await bringIn(there, { format: "ndjson", path, check: false, by: null });
  expect([came.problems, looked.problems]).toEqual([0, 0]);
  const after = await tables();
  for (const table of Object.keys(LEFT_OUT)) expect([table, after[table]]).toEqual([table, before[table]]);
  const found = await one(
    db,
    sql`select u.state, r.comments_count as comments from resources r join uploads u on u.id = r.upload_id where r.id = ${resource}`,
  );
  expect([found, await there.storage.sizeOf(hash)]).toEqual([{ state: "quarantined", comments: 1 }, null]);
});

/** Words in several lines, and in one with a wide gap, in every place that is no text of its own. */
const IN_LINES: Record<string, string[]> = {
  people: ["display_name", "pronouns", "location", "photo_alt"],
  groups: ["name", "purpose", "topic", "header_alt", "photo_alt"],
  memberships: ["reason"],
  friendships: ["note"],
  discussions: ["title"],
  discussion_lines: ["reason"],
  bookmarks: ["note"],
  posts: ["taken_reason"],
  post_revisions: ["reason"],
  conversations: ["name"],
  uploads: ["alt"],
  resources: ["title", "why", "site_name", "licence"],
  resource_versions: ["note"],
  collections: ["title"],
};

test("lines and gaps in what is told in a few words come back as they were", { timeout: 60_000 }, async () => {
  const t = await demo();
  await within(async (tx) => {
    for (const [table, columns] of Object.entries(IN_LINES))
      for (const column of columns)
        await run(tx, sql`update ${sql.table(table)} set ${sql.ref(column)} = E'On  one,\nand on another' where ${sql.ref(column)} <> ''`);
    await run(
      tx,
      sql`update people set fields = ${JSON.stringify([{ label: "Ask  me", value: "about seeds\nand soil", audience: "members" }])}::jsonb where state = 'active'`,
    );
  });
  const before = await tables();
  const path = join(await folder(), "a");
  await leave(t, path);
  await empty();
  await bringIn(await transfer(), { format: "ndjson", path, check: false, by: null });
  const after = await tables();
  for (const table of Object.keys(IN_LINES)) expect([table, after[table]]).toEqual([table, before[table]]);
});

test("nothing is written over", async () => {
  const t = await transfer();
  const path = join(await folder(), "a");
  await leave(t, path);
  await expect(leave(t, path)).rejects.toMatchObject({ reason: "conflict" });
});
