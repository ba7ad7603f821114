import { describe, expect, test } from "vitest";
import { many, maybeOne, one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import {
  getPerson,
  register,
  confirmEmail,
  signIn,
  sendResetLink,
  sendSignInLink,
  approveAccount,
} from "#community/accounts";
import { GUEST } from "#community/rules";
import { listMailbox } from "#platform/mail";
import { sendAccountMails } from "../../../test/support/account-mails.ts";
import {
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  sampleArchive,
  archiveText,
  createImportSetup,
} from "../../../test/support/import-export/sample-archive.ts";
import { createTestAccounts } from "../../../test/support/accounts/test-accounts.ts";
import { runImport, claimImportedAccount } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { transfer, write, count } = createImportSetup(database);
const from = { address: "203.0.113.7", userAgent: "", acceptLanguage: "en" };

const accounts = () => createTestAccounts(database, { afterConfirming: claimImportedAccount });

async function arrive(email = "plato@example.org") {
  const app = accounts();
  const { id } = await register(
    app,
    { email, name: "Aristocles", username: "aristocles", password: "seven brown hens" },
    from,
  );
  await sendAccountMails(database, app);
  const [mail] = await listMailbox(db, email);
  const confirm = async () =>
    confirmEmail(app, /token=([\w-]+)/.exec(mail!.text)![1]!, { password: "seven brown hens" });
  return { id, confirm, app };
}

const bringHeap = async () => {
  await runImport(await transfer(), {
    format: "ndjson",
    check: false,
    by: null,
    path: await write({ "community.ndjson": archiveText(...sampleArchive()), "files/heap.txt": "1" }),
  });
  return one(db, sql<{ id: string }>`select person_id as id from imported_accounts`);
};
const byThem = (id: string) =>
  one(
    db,
    sql`select (select count(*)::int from posts where author_id = ${id}) as posts, (select count(*)::int
      from memberships where person_id = ${id}) as groups,
      (select count(*)::int from resources where owner_id = ${id}) as resources, (select count(*)::int
        from participants where person_id = ${id}) as conversations,
      (select count(*)::int from friendships where ${id} in (low_id, high_id)) as friends`,
  );

describe("an imported account", () => {
  test("cannot sign in, receives no mail and does not prevent registration", async () => {
    const ghost = await bringHeap();
    const app = accounts();
    for (const login of ["plato", "plato@example.org"])
      await expect(signIn(app, { login, password: "seven brown hens" }, from, "web")).rejects.toMatchObject({
        reason: "invalid",
      });
    await sendResetLink(app, "plato@example.org", from);
    await sendSignInLink(app, "plato@example.org", from);
    await sendAccountMails(database, app);
    expect(await count("mails")).toBe(0);
    expect((await getPerson(db, GUEST, "plato")).id).toBe(ghost.id);
    await arrive();
    expect((await listMailbox(db, "plato@example.org"))[0]!.text).toContain("/login/confirm");
  });

  test("becomes the person's account, with its content and old username, when they confirm its email", async () => {
    const ghost = await bringHeap();
    const before = await byThem(ghost.id);
    const { id, confirm } = await arrive();
    expect(await byThem(id)).toEqual({ posts: 0, groups: 0, resources: 0, conversations: 0, friends: 0 });
    await confirm();
    expect(before).toEqual({ posts: 2, groups: 1, resources: 1, conversations: 1, friends: 1 });
    expect(await byThem(id)).toEqual(before);
    expect([
      await count("imported_accounts"),
      await maybeOne(db, sql`select from people where id = ${ghost.id}`),
    ]).toEqual([0, undefined]);
    const profile = await getPerson(db, { id, role: "member", trust: "new", limited: false }, "plato");
    expect([profile.id, profile.username, profile.movedTo]).toEqual([id, "aristocles", "aristocles"]);
    expect(await one(db, sql`select bio_md, state, created_at from people where id = ${id}`)).toEqual({
      bio_md: "Writes *dialogues*.",
      state: "active",
      created_at: new Date("2019-03-01T08:00:00Z"),
    });
    const zeno = await one(db, sql<{ id: string }>`select id from people where username = 'zeno'`);
    expect(await one(db, sql`select kind, pair from conversations`)).toEqual({
      kind: "direct",
      pair: [id, zeno.id].sort().join(":"),
    });
    expect(await listEmittedEvents(database)).toEqual([
      "transfer.finished",
      "person.joined",
      "person.changed",
    ]);
    // Years of discussions do not all show as unread.
    expect(
      await one(db, sql`select last_read_number as n from read_positions where person_id = ${id}`),
    ).toEqual({ n: 3 });
  });

  test("cannot be claimed by registration while emails need no confirmation", async () => {
    await createTestUsers(database);
    const ghost = await bringHeap();
    await within((tx) =>
      run(
        tx,
        sql`insert into settings (key, value, changed_at) values ('confirmAddress', 'false', ${tx.now})`,
      ),
    );
    const { id } = await arrive();
    expect(await one(db, sql`select state from people where id = ${id}`)).toEqual({ state: "active" });
    expect([await count("imported_accounts"), await byThem(ghost.id)]).toMatchObject([1, { posts: 2 }]);
  });

  test("stays unclaimed while the person waits for approval", async () => {
    const { ada } = await createTestUsers(database);
    const ghost = await bringHeap();
    await within((tx) =>
      run(
        tx,
        sql`insert into settings (key, value, changed_at) values ('registration', '"approval"', ${tx.now})`,
      ),
    );
    const { id, confirm, app } = await arrive();
    await confirm();
    expect(await byThem(ghost.id)).toMatchObject({ posts: 2 });
    await approveAccount(app, ada, id);
    expect(await byThem(id)).toMatchObject({ posts: 2 });
  });

  test("merges into the person's existing account without overwriting anything", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const ghost = await bringHeap();
    const { group, zeno, post } = await one(
      db,
      sql<{ group: string; zeno: string; post: string }>`
        select (select id from groups) as "group", (select id from people where username = 'zeno') as zeno,
          (select id from posts where number = 2) as post`,
    );
    await within(async (tx) => {
      await setMembership(tx, group, mira, "member");
      for (const who of [mira.id, ghost.id])
        await run(
          tx,
          sql`insert into reactions (post_id, person_id, emoji, created_at)
            values (${post}, ${who}, '🌾', ${tx.now})`,
        );
      await run(
        tx,
        sql`insert into conversations (id, kind, creator_id, pair, last_message_at, created_at)
            values (${tx.newId()}, 'direct', ${mira.id}, ${[mira.id, zeno].sort().join(":")}, ${tx.now},
              ${tx.now})`,
      );
      for (const [who, emoji] of [
        [mira.id, "🌾"],
        [ghost.id, "🌾"],
        [ghost.id, "👍"],
      ])
        await run(
          tx,
          sql`insert into message_reactions (message_id, person_id, emoji, created_at) select id, ${who},
            ${emoji}, ${tx.now} from messages where seq = 1`,
        );
      await run(
        tx,
        sql`update people set email = 'plato@example.org', email_confirmed_at = ${tx.now}, bio_md = 'Gardens.'
          where id = ${mira.id}`,
      );
      await blockPerson(tx, tomas, { personId: ghost.id });
      await claimImportedAccount(tx, mira.id);
      await claimImportedAccount(tx, mira.id);
    });
    expect(await one(db, sql`select role, state from memberships where person_id = ${mira.id}`)).toEqual({
      role: "owner",
      state: "member",
    });
    expect(await one(db, sql`select members_count as n from groups`)).toEqual({ n: 2 });
    expect(await many(db, sql`select person_id as by from reactions where post_id = ${post}`)).toEqual([
      { by: mira.id },
    ]);
    expect(
      await many(
        db,
        sql`select emoji from message_reactions where person_id = ${mira.id} order by emoji collate "C"`,
      ),
    ).toEqual([{ emoji: "🌾" }, { emoji: "👍" }]);
    expect(await many(db, sql`select kind from conversations order by created_at`)).toEqual([
      { kind: "group" },
      { kind: "direct" },
    ]);
    expect(await one(db, sql`select bio_md as bio from people where id = ${mira.id}`)).toEqual({
      bio: "Gardens.",
    });
    expect(await many(db, sql`select blocker_id as by, blocked_id as of from blocks`)).toEqual([
      { by: tomas.id, of: mira.id },
    ]);
  });

  test("stays unclaimed if the person has another email", async () => {
    await bringHeap();
    const { confirm } = await arrive("somebody@example.org");
    await confirm();
    await within(async (tx) => claimImportedAccount(tx, (await createPerson(tx, "else")).id));
    expect(await count("imported_accounts")).toBe(1);
  });
});
