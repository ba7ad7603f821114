import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { getDiscussion, mergeDiscussion, getPostsPage, splitDiscussion } from "#community/discussions";
import { editResource, createCollection } from "#community/resources";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import {
  sampleArchive,
  postRecord,
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import {
  count,
  database,
  db,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";
import { runImport, type ImportRun, undoImport, type ImportContext } from "./index.ts";

const within = database.inTransaction;

describe("confirmation before undoing an import run", () => {
  const assertNeedsConfirmation = async (t: ImportContext, came: ImportRun, times: number) => {
    const wished = { runId: came.id, by: null };
    await expect(undoImport(t, { ...wished, includeNewContent: false })).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining(`made ${times} addition${times === 1 ? "" : "s"} to`),
    });
    expect((await undoImport(t, { ...wished, includeNewContent: true })).state).toBe("undone");
  };

  test("protects a collection that was added to an imported group", async () => {
    const [t, { ada }] = [await transfer(), await createTestUsers(database)];
    const path = await write({ "community.ndjson": archiveText(...sampleArchive()), "files/heap.txt": "1" });
    const importRun = await runImport(t, { ...importOptions, path, by: ada });
    const { id: groupId } = await one(db, sql<{ id: string }>`select id from groups`);
    await within((tx) => createCollection(tx, ada, { title: "My own", about: "", groupId }));
    await assertNeedsConfirmation(t, importRun, 1);
    expect(await count("collections")).toBe(0);
  });

  test("protects later edits of an imported document", async () => {
    const [t, { ada }] = [await transfer(), await createTestUsers(database)];
    const document = {
      type: "resource",
      id: "r",
      group: "g",
      owner: "plato",
      kind: "document",
      title: "On heaps",
      body: "Grains.",
      editsBy: "members",
      createdAt: "2019-03-01",
    };
    const path = await write({
      "community.ndjson": archiveText(userRecord("plato"), groupRecord(), document),
    });
    const importRun = await runImport(t, { ...importOptions, path, by: ada });
    const { id: resourceId } = await one(db, sql<{ id: string }>`select id from resources`);
    await within((tx) =>
      editResource(tx, ada, { resourceId, changes: 0, reason: "", note: "", body: "Many grains." }),
    );
    expect(await count("resource_versions")).toBe(2);
    await assertNeedsConfirmation(t, importRun, 1);
  });
});

describe("undoing an import run", () => {
  /** Two of Mira's posts in a discussion merged with an imported one: posts 1 and 3 of four were imported. */
  const together = async () => {
    const [t, people] = [await transfer(), await createTestUsers(database)];
    const { ada, mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, mira, group.id);
    const began = database.clock.at;
    database.clock.pass(120_000);
    await createTestReply(database, tomas, id);
    const late = new Date(began.getTime() + 60_000).toISOString();
    const records = [
      userRecord("plato"),
      userRecord("zeno"),
      groupRecord(),
      discussionRecord(),
      postRecord(1),
      postRecord(2, { createdAt: late }),
    ];
    const importRun = await runImport(t, {
      ...importOptions,
      path: await write({ "community.ndjson": archiveText(...records) }),
      by: ada,
    });
    const { id: from } = await one(db, sql<{ id: string }>`select id from discussions where id <> ${id}`);
    await within((tx) =>
      mergeDiscussion(tx, ada, {
        discussionId: from,
        into: id,
        visibility: "public",
        reason: "One question.",
      }),
    );
    return { t, ...people, id, began, importRun };
  };

  test("restores authors, numbers and read positions of a discussion merged with an imported one", async () => {
    const { t, mira, tomas, id, began, importRun } = await together();
    const numbers = async () => {
      const { posts } = await getPostsPage(db, mira, await getDiscussion(db, mira, id), { page: 1 });
      return posts.map(({ number, author }) => [number, author?.username]);
    };
    expect(await numbers()).toEqual([
      [1, "plato"],
      [2, "mira"],
      [3, "zeno"],
      [4, "tomas"],
    ]);
    await run(
      db,
      sql`insert into read_positions (person_id, discussion_id, last_read_number, level, read_at)
        values (${mira.id}, ${id}, 3, 'normal', now())
          on conflict (person_id, discussion_id) do update set last_read_number = 3`,
    );
    expect((await undoImport(t, { runId: importRun.id, by: null, includeNewContent: false })).state).toBe(
      "undone",
    );
    expect(await numbers()).toEqual([
      [1, "mira"],
      [2, "tomas"],
    ]);
    expect(
      await one(
        db,
        sql`select author_id as by, created_at as at, last_number as last, posts_count as posts,
          last_post_by as "lastBy" from discussions where id = ${id}`,
      ),
    ).toEqual({ by: mira.id, at: began, last: 2, posts: 2, lastBy: tomas.id });
    expect(
      await one(db, sql`select last_read_number as read from read_positions where person_id = ${mira.id}`),
    ).toEqual({ read: 1 });
    expect(await many(db, sql`select username from people where state = 'ghost'`)).toEqual([]);
  });

  test("keeps an imported account that other content still refers to", async () => {
    const { t, id, importRun } = await together();
    await run(
      db,
      sql`update discussions set locked_at = now(), locked_by = (select id from people
        where username = 'zeno') where id = ${id}`,
    );
    expect((await undoImport(t, { runId: importRun.id, by: null, includeNewContent: false })).state).toBe(
      "undone",
    );
    expect(await many(db, sql`select username from people where state = 'ghost'`)).toEqual([
      { username: "zeno" },
    ]);
    expect(await count("imported_records")).toBe(0);
  });

  test("removes the stub of an imported post that was split off, and an empty discussion", async () => {
    const { t, ada, id, importRun } = await together();
    const { id: post } = await one(
      db,
      sql<{ id: string }>`select id from posts where discussion_id = ${id} and number = 3`,
    );
    await within((tx) =>
      splitDiscussion(tx, ada, {
        discussionId: id,
        postIds: [post],
        title: "Grains alone",
        reason: "Another matter.",
      }),
    );
    expect([await count("discussions"), await count("posts")]).toEqual([2, 5]);
    expect((await undoImport(t, { runId: importRun.id, by: null, includeNewContent: false })).state).toBe(
      "undone",
    );
    expect(await many(db, sql`select number, state from posts order by number`)).toEqual([
      { number: 1, state: "published" },
      { number: 2, state: "published" },
    ]);
    expect(await many(db, sql`select id from discussions`)).toEqual([{ id }]);
  });
});
