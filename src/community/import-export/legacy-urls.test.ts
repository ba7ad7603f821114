import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { mergeDiscussion } from "#community/discussions";
import { GUEST } from "#community/rules";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  sampleArchive,
  postRecord,
  archiveText,
  createImportSetup,
  discussionRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, exportCommunity, resolveOldPath } from "./index.ts";
import { listProblems } from "./import/import-runs.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { folder, transfer, write } = createImportSetup(database);

const PATHS: Record<string, string[]> = {
  d: ["/t/12"],
  p2: ["/t/12/2", "/a/15"],
  plato: ["/u/plato"],
  g: ["/c/talk"],
  r: ["/pub/heap"],
};

async function bringHeap() {
  const records = sampleArchive().map((it) =>
    "id" in it && PATHS[String(it.id)] ? { ...it, oldPaths: PATHS[String(it.id)] } : it,
  );
  const path = await write({ "community.ndjson": archiveText(...records), "files/heap.txt": "1" });
  await runImport(await transfer(), { format: "ndjson", check: false, by: null, path });
  const ids = await one(
    db,
    sql<{ d: string; r: string }>`select (select id from discussions) as d, (select id from resources) as r`,
  );
  return {
    ...ids,
    discussion: { kind: "discussion", id: ids.d },
    second: { kind: "discussion", id: ids.d, post: 2 },
  };
}

test("old paths redirect to the imported content in each form that the old platform used", async () => {
  const { discussion, second, r } = await bringHeap();
  for (const path of [
    "/t/12",
    "/t/12/",
    "/t/what-is-a-heap/12",
    "/t/12/99",
    "/t/x/12/99",
    "/t/12?u=plato",
    "/t/12#top",
  ])
    expect([path, await resolveOldPath(db, GUEST, path)]).toEqual([path, discussion]);
  for (const path of [
    "/t/12/2",
    "/t/what-is-a-heap/12/2",
    "/t/x/12/2/",
    "/a/15",
    "/a/15/7",
    "/questions/3/heaps/15",
  ])
    expect([path, await resolveOldPath(db, GUEST, path)]).toEqual([path, second]);
  expect(await resolveOldPath(db, GUEST, "/u/plato")).toEqual({ kind: "person", username: "plato" });
  expect(await resolveOldPath(db, GUEST, "/c/talk")).toEqual({ kind: "group", slug: "first-principles" });
  expect(await resolveOldPath(db, GUEST, "/pub/heap")).toEqual({ kind: "resource", id: r });
  for (const path of [
    "/t/13",
    "/t/",
    "/",
    "/t/12/2/3",
    "/u/zeno",
    `/${"x".repeat(2_000)}`,
    "/t/\0",
    "/\ud800",
  ])
    expect([path, await resolveOldPath(db, GUEST, path)]).toEqual([path, null]);
});

test("an old path reveals nothing to a viewer who may not see the target", async () => {
  const { noor } = await createTestUsers(database);
  const { discussion } = await bringHeap();
  await within((tx) => run(tx, sql`update groups set visibility = 'private', join_policy = 'request'`));
  for (const viewer of [GUEST, noor])
    for (const path of ["/t/12", "/a/15", "/pub/heap"])
      expect(await resolveOldPath(db, viewer, path)).toBe(null);
  const { id } = await one(db, sql<{ id: string }>`select id from people where username = 'zeno'`);
  expect(await resolveOldPath(db, { id, role: "member", trust: "new", limited: false }, "/t/12")).toEqual(
    discussion,
  );
});

test("an old path of a merged discussion redirects to the merge target, also in a later export", async () => {
  const { ada } = await createTestUsers(database);
  const records = [
    ...sampleArchive(),
    discussionRecord({ id: "e", title: "What is a grain?", oldPaths: ["/t/13"] }),
    postRecord(8, { discussion: "e", replyTo: undefined }),
  ];
  const t = await transfer();
  await runImport(t, {
    format: "ndjson",
    check: false,
    by: ada,
    path: await write({ "community.ndjson": archiveText(...records), "files/heap.txt": "1" }),
  });
  const [e, d] = await many(db, sql<{ id: string }>`select id from discussions order by title`);
  await within((tx) =>
    mergeDiscussion(tx, ada, {
      discussionId: e!.id,
      into: d!.id,
      visibility: "public",
      reason: "One question.",
    }),
  );
  expect(await resolveOldPath(db, GUEST, "/t/what-is-a-grain/13")).toEqual({ kind: "discussion", id: d!.id });
  const path = join(await folder(), "a");
  await exportCommunity(t, path);
  const record = (await readFile(join(path, "community.ndjson"), "utf8"))
    .split("\n")
    .find((line) => line.includes('"type":"discussion"'));
  expect(JSON.parse(record!)).toMatchObject({ id: d!.id, oldPaths: ["/t/13"] });
});

test("an old path in two archives redirects to the content of the first archive", async () => {
  const { discussion } = await bringHeap();
  const other = archiveText(
    ...sampleArchive().map((it) => ("id" in it && it.id === "d" ? { ...it, oldPaths: ["/t/12"] } : it)),
  );
  await runImport(await transfer(), {
    format: "ndjson",
    check: false,
    by: null,
    path: await write({ "community.ndjson": other }, "other"),
  });
  expect(await resolveOldPath(db, GUEST, "/t/12")).toEqual(discussion);
});

test("the old path of a missing post redirects to its own discussion", async () => {
  const { discussion } = await bringHeap();
  await within((tx) =>
    run(
      tx,
      sql`insert into address_redirects (path, kind, thing_id, run_id) select '/t/5', 'group', g.id, a.run_id
        from groups g, address_redirects a limit 1`,
    ),
  );
  for (const path of ["/t/12/5", "/t/what-is-a-heap/12/5"])
    expect([path, await resolveOldPath(db, GUEST, path)]).toEqual([path, discussion]);
  expect(await resolveOldPath(db, GUEST, "/t/talk/5/12")).toMatchObject({ kind: "group" });
});

test("a second source with the same old addresses gets its own prefix, with a warning", async () => {
  const t = await transfer();
  const bring = async (source: string, title: string) => {
    const records = [
      ...sampleArchive(1),
      discussionRecord({ id: "e", title, oldPaths: ["/t/12"] }),
      postRecord(8, { discussion: "e", replyTo: undefined }),
    ];
    const path = await write({ "community.ndjson": archiveText(...records), "files/heap.txt": "1" }, title);
    return runImport(t, { format: "ndjson", check: false, by: null, path, source });
  };
  await bring("discourse:forum", "What is a grain?");
  const second = await bring("discourse:Another forum", "What is a bean?");
  const ids = await many(
    db,
    sql<{
      id: string;
    }>`select id from discussions where title in ('What is a grain?', 'What is a bean?') order by title desc`,
  );
  expect(await resolveOldPath(db, GUEST, "/t/grain/12")).toEqual({ kind: "discussion", id: ids[0]!.id });
  for (const path of ["/old/discourse-another-forum/t/12", "/old/discourse-another-forum/t/bean/12/?u=plato"])
    expect(await resolveOldPath(db, GUEST, path)).toEqual({ kind: "discussion", id: ids[1]!.id });
  expect(await resolveOldPath(db, GUEST, "/old/nowhere/t/12")).toBe(null);
  const remarks = (await listProblems(db, second.id)).map(({ what }) => what);
  expect(remarks).toContain(
    "Its old address /t/12 is already used by another import: it redirects from " +
      "/old/discourse-another-forum/t/12 instead.",
  );
  await bring("discourse:Another forum", "What is a bean?");
  expect(
    await many(db, sql`select path from address_redirects where path like '%/t/12' order by path`),
  ).toEqual([{ path: "/old/discourse-another-forum/t/12" }, { path: "/t/12" }]);
});
