import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import type { SignedIn } from "#community/rules";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  sampleArchive,
  archiveText,
  createImportSetup,
} from "../../../test/support/import-export/sample-archive.ts";
import {
  listServerArchives,
  startImport,
  deleteOldArchives,
  continueImport,
  resumeImport,
  getImport,
  NewImport,
  listImportSources,
  undoImport,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { transfer, write, folder, count } = createImportSetup(database);
const heap = async () => ({
  path: await write({ "community.ndjson": archiveText(...sampleArchive()), "files/heap.txt": "1" }),
  fileName: "heap.zip",
});
const FORM = NewImport.parse({ format: "ndjson", site: "" });

describe("the source of an archive", () => {
  const start = async (ada: SignedIn, fileName: string, source?: string) => {
    const archive = await heap();
    const { id } = await within((tx) => startImport(tx, ada, { ...FORM, ...archive, fileName, source }));
    return id;
  };
  const brought = async (ada: SignedIn, fileName: string, source?: string) => {
    const id = await start(ada, fileName, source);
    await continueImport(await transfer(), id);
    await within((tx) => resumeImport(tx, ada, id));
    return continueImport(await transfer(), id);
  };

  test("gets a unique name from the file name, in any script", async () => {
    const { ada } = await createTestUsers(database);
    expect(await listImportSources(db, ada)).toEqual([]);
    const runs = [await start(ada, "форум.zip"), await start(ada, "論壇.zip"), await start(ada, "форум.zip")];
    const sources = await Promise.all(runs.map(async (id) => (await getImport(db, ada, id)).source));
    expect(sources).toEqual(["ndjson:форум", "ndjson:論壇", "ndjson:форум 2"]);
  });

  test("must be selected after an earlier import, even if the file name is the same", async () => {
    const { ada } = await createTestUsers(database);
    const first = await brought(ada, "export.zip");
    expect(await listImportSources(db, ada)).toEqual([
      { id: first.id, format: "ndjson", name: "export", latestAt: first.createdAt },
    ]);
    await expect(start(ada, "export.zip")).rejects.toMatchObject({
      reason: "invalid",
      fields: { source: expect.any(String) },
    });

    const other = await brought(ada, "export.zip", "new");
    expect([other.source, other.counts.post?.made, await count("discussions")]).toEqual([
      "ndjson:export 2",
      4,
      2,
    ]);
    database.clock.pass(1_000);
    const again = await brought(ada, "export (1).zip", first.id);
    expect([again.source, again.counts.post, await count("discussions")]).toEqual([
      "ndjson:export",
      { known: 4 },
      2,
    ]);
    expect((await listImportSources(db, ada)).map(({ id, name }) => [id, name])).toEqual([
      [again.id, "export"],
      [other.id, "export 2"],
    ]);
  });

  test("cannot be a run of another format, an undone run or a run that only checked", async () => {
    const { ada, ines } = await createTestUsers(database);
    const { id } = await brought(ada, "export.zip");
    const slack = { ...FORM, format: "slack" as const, path: "/x", fileName: "x.zip" };
    await expect(within((tx) => startImport(tx, ada, { ...slack, source: id }))).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => startImport(tx, ada, slack));
    const looked = await start(ada, "other.zip", "new");
    await expect(start(ada, "third.zip", looked)).rejects.toMatchObject({ reason: "invalid" });
    await undoImport(await transfer(), { runId: id, by: null, includeNewContent: false });
    expect(await listImportSources(db, ada)).toEqual([]);
    await expect(listImportSources(db, ines)).rejects.toMatchObject({ reason: "not-found" });
  });
});

test.each([
  [{ format: "phpbb" }, "format"],
  [{ format: "slack", site: "forum.example.org" }, "site"],
  [{ format: "slack", site: "javascript:alert(1)" }, "site"],
  [{ format: "slack", site: "https://forum.example.org/t/1" }, "site"],
  [{ format: "slack", source: "discourse:forum" }, "source"],
])("a form with %j is refused", (form, field) => {
  expect(NewImport.safeParse(form).error!.issues[0]!.path).toEqual([field]);
});

test("archives on the server are listed, and uploads are deleted after a week", async () => {
  const { ada } = await createTestUsers(database);
  const place = await folder();
  for (const name of ["uploads/old", "uploads/new", "talk", ".hidden"])
    await mkdir(join(place, name), { recursive: true });
  for (const name of ["forum.zip", "uploads/old/a.zip", "uploads/new/a.zip"])
    await writeFile(join(place, name), "x");
  expect([await listServerArchives(place), await listServerArchives(join(place, "nowhere"))]).toEqual([
    ["forum.zip", "talk"],
    [],
  ]);
  const { id } = await within((tx) =>
    startImport(tx, ada, { ...FORM, path: join(place, "uploads/old/a.zip"), fileName: "a.zip" }),
  );
  const now = database.clock.at;
  await utimes(join(place, "uploads/old"), now, new Date(now.getTime() - 8 * DAY));
  await utimes(join(place, "uploads/new"), now, now);
  await deleteOldArchives(db, place, now);
  expect([await readdir(join(place, "uploads")), (await getImport(db, ada, id)).path]).toEqual([
    ["new"],
    null,
  ]);
});
