import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  sampleArchive,
  postRecord,
  userRecord,
  archiveText,
  createImportSetup,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, claimImportedAccount } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { transfer, write } = createImportSetup(database);

describe("claiming an imported account", () => {
  test("transfers bookmarks, follows, settings, mentions, blocks and mutes in both directions", async () => {
    const { mira } = await createTestUsers(database);
    const [plato, zeno, ...rest] = sampleArchive();
    await runImport(await transfer(), {
      format: "ndjson",
      check: false,
      by: null,
      path: await write({
        "community.ndjson": archiveText(
          { ...plato, email: undefined },
          { ...zeno, email: "mira@example.org" },
          userRecord("cato"),
          ...rest,
          postRecord(5, { replyTo: "p3", mentions: [{ name: "zeno", user: "zeno" }] }),
          { type: "block", from: "zeno", to: "cato" },
          { type: "mute", from: "zeno", to: "cato" },
          {
            type: "message",
            id: "m3",
            conversation: "v",
            author: "plato",
            body: "A heap is a heap.",
            hiddenFrom: [{ user: "zeno", at: "2019-03-02T08:00:00Z" }],
            createdAt: "2019-03-01T09:00:00Z",
          },
        ),
        "files/heap.txt": "1",
      }),
    });
    await within(async (tx) => {
      await run(
        tx,
        sql`update people set email = 'mira@example.org', email_confirmed_at = ${tx.now}
          where id = ${mira.id}`,
      );
      await run(
        tx,
        sql`insert into resource_bookmarks (person_id, resource_id, created_at) select ${mira.id}, id,
          ${tx.now} from resources`,
      );
      await claimImportedAccount(tx, mira.id);
    });
    const whose = async (table: string, column: string) =>
      (
        await many(
          db,
          sql<{
            who: string;
          }>`select p.username as who from ${sql.table(table)} t
            join people p on p.id = t.${sql.ref(column)}`,
        )
      ).map(({ who }) => who);
    for (const [table, column] of [
      ["bookmarks", "person_id"],
      ["resource_bookmarks", "person_id"],
      ["resource_follows", "person_id"],
      ["collection_curators", "person_id"],
      ["poll_votes", "person_id"],
      ["post_mentions", "person_id"],
      ["hidden_messages", "person_id"],
      ["blocks", "blocker_id"],
    ] as const)
      expect([table, await whose(table, column)]).toEqual([table, ["mira"]]);
    expect((await whose("mutes", "muter_id")).sort()).toEqual(["mira", "plato"]);
    expect((await whose("mutes", "muted_id")).sort()).toEqual(["cato", "mira"]);
    expect(await one(db, sql`select bookmarks_count as n from resources`)).toEqual({ n: 1 });
  });

  test("transfers unsubscriptions and notification settings, but the person's own settings win", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const stops = [{ scope: "digest", at: "2019-03-01T08:00:00Z" }];
    const choices = [{ kind: "reply", shown: true, mailed: false, pushed: false }];
    const mailSettings = {
      mailLevel: "nothing",
      mailStops: stops,
      choices,
      notified: { quietFrom: "22:00", quietTo: "07:00", digestEvery: "never" },
    };
    const one_ = (name: string) => userRecord(name, { email: `${name}@example.org`, ...mailSettings });
    await runImport(await transfer(), {
      format: "ndjson",
      check: false,
      by: null,
      path: await write({ "community.ndjson": archiveText(one_("mira"), one_("tomas")) }),
    });
    await within(async (tx) => {
      for (const { id } of [mira, tomas])
        await run(
          tx,
          sql`update people set email = username || '@example.org', email_confirmed_at = ${tx.now}
            where id = ${id}`,
        );
      await run(tx, sql`update people set mail_level = 'everything' where id = ${tomas.id}`);
      await run(
        tx,
        sql`insert into notification_settings (person_id, digest_every) values (${tomas.id}, 'day')`,
      );
      for (const { id } of [mira, tomas]) await claimImportedAccount(tx, id);
    });
    expect(
      await many(
        db,
        sql`select username, mail_level as level, digest_every as digest,
          to_char(quiet_from, 'HH24:MI') as quiet,
              (select count(*)::int from mail_suppressions m where m.person_id = p.id) as stops,
              (select count(*)::int from notification_choices c where c.person_id = p.id) as choices
            from people p join notification_settings s on s.person_id = p.id order by username`,
      ),
    ).toEqual([
      { username: "mira", level: "nothing", digest: "never", quiet: "22:00", stops: 1, choices: 1 },
      { username: "tomas", level: "everything", digest: "day", quiet: null, stops: 1, choices: 1 },
    ]);
  });

  test("transfers no block between two people who became friends here", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const [plato, zeno, ...rest] = sampleArchive();
    await runImport(await transfer(), {
      format: "ndjson",
      check: false,
      by: null,
      path: await write({
        "community.ndjson": archiveText(
          { ...plato, email: undefined },
          { ...zeno, email: "mira@example.org" },
          userRecord("cato"),
          ...rest,
          {
            type: "block",
            from: "zeno",
            to: "cato",
          },
        ),
        "files/heap.txt": "1",
      }),
    });
    await within(async (tx) => {
      const [low, high] = [mira.id, tomas.id].toSorted();
      await run(
        tx,
        sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
          values (${low}, ${high}, 'friends', ${mira.id}, ${tx.now}, ${tx.now})`,
      );
      await run(
        tx,
        sql`update blocks set blocked_id = ${tomas.id}
          where blocked_id = (select id from people where username = 'cato')`,
      );
      await run(
        tx,
        sql`update people set email = 'mira@example.org', email_confirmed_at = ${tx.now}
          where id = ${mira.id}`,
      );
      await claimImportedAccount(tx, mira.id);
    });
    expect(
      await many(
        db,
        sql`select state from friendships
          where ${mira.id} in (low_id, high_id) and ${tomas.id} in (low_id, high_id)`,
      ),
    ).toEqual([{ state: "friends" }]);
    expect(await many(db, sql`select blocker_id from blocks`)).toEqual([]);
  });
});
