import { rename } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { toEnglish } from "#platform/messages";
import { type Db, many, one, run, sql } from "#platform/database";
import { reply } from "#community/discussions";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  sampleArchive,
  archiveText,
  createImportSetup,
} from "../../../test/support/import-export/sample-archive.ts";
import {
  requestUndo,
  startImport,
  runImport,
  continueImport,
  resumeImport,
  getImport,
  listImports,
  NewImport,
  createImportReport,
  undoImport,
} from "./index.ts";
import { withImportLock } from "./import/import-runs.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { transfer, write, count } = createImportSetup(database);

const jobs = async () =>
  (
    await many(
      db,
      sql<{ task: string }>`select task_identifier as task from graphile_worker.jobs order by id`,
    )
  ).map(({ task }) => task);
const heap = async () => ({
  path: await write({ "community.ndjson": archiveText(...sampleArchive()), "files/heap.txt": "1" }),
  fileName: "heap.zip",
});
const FORM = NewImport.parse({ format: "ndjson", site: "" });

describe("an import started from the admin page", () => {
  test("first checks the archive, then runs and can be undone on request", async () => {
    const { ada } = await createTestUsers(database);
    const t = await transfer();
    const archive = await heap();
    const { id } = await within((tx) => startImport(tx, ada, { ...FORM, ...archive }));
    expect([await jobs(), (await getImport(db, ada, id)).state]).toEqual([["import"], "checking"]);
    expect((await continueImport(t, id)).state).toBe("checked");
    expect(await count("posts")).toBe(0);

    await within((tx) => resumeImport(tx, ada, id));
    const importRun = await continueImport(t, id);
    expect([importRun.state, importRun.source, await count("posts")]).toEqual(["done", "ndjson:heap", 4]);
    // Running the job twice changes nothing.
    expect((await continueImport(t, id)).state).toBe("done");
    await expect(within((tx) => resumeImport(tx, ada, id))).rejects.toMatchObject({ reason: "conflict" });

    await within((tx) => requestUndo(tx, ada, { runId: id, includeNewContent: false }));
    expect((await getImport(db, ada, id)).state).toBe("undoing");
    await undoImport(t, { runId: id, by: null, includeNewContent: false });
    expect([await count("posts"), (await getImport(db, ada, id)).state]).toEqual([0, "undone"]);
    await expect(
      within((tx) => requestUndo(tx, ada, { runId: id, includeNewContent: true })),
    ).rejects.toMatchObject({ reason: "conflict" });
    expect(
      await many(db, sql`select act, actor_id as by, object_id as id from audit_events order by id`),
    ).toEqual([
      { act: "import.begun", by: ada.id, id },
      { act: "import.undone", by: ada.id, id },
    ]);
  });

  test("needs confirmation to be undone if members have written in its discussions since", async () => {
    const { ada } = await createTestUsers(database);
    const t = await transfer();
    const { id } = await runImport(t, { format: "ndjson", path: (await heap()).path, check: false, by: ada });
    const discussion = await one(db, sql<{ id: string }>`select id from discussions`);
    await within((tx) => reply(tx, ada, { discussionId: discussion.id, body: "Still a heap?" }));
    await expect(
      within((tx) => requestUndo(tx, ada, { runId: id, includeNewContent: false })),
    ).rejects.toMatchObject({ reason: "conflict" });
    await within((tx) => requestUndo(tx, ada, { runId: id, includeNewContent: true }));
    await undoImport(t, { runId: id, by: null, includeNewContent: true });
    expect(await count("posts")).toBe(0);
  });

  test("reports why an archive is unreadable and can be retried", async () => {
    const { ada } = await createTestUsers(database);
    const { id } = await within((tx) =>
      startImport(tx, ada, { ...FORM, path: "/nowhere/at/all.zip", fileName: "all.zip" }),
    );
    await expect(continueImport(await transfer(), id)).rejects.toMatchObject({ reason: "invalid" });
    const broken = await getImport(db, ada, id);
    expect(broken.state).toBe("broken");
    expect(toEnglish(broken.trouble!)).toBe("There is nothing at /nowhere/at/all.zip.");
    await within((tx) => resumeImport(tx, ada, id));
    expect((await getImport(db, ada, id)).state).toBe("checking");
  });

  test("can continue after an interrupted check", async () => {
    const { ada } = await createTestUsers(database);
    const t = await transfer();
    const archive = await heap();
    const { id } = await within((tx) => startImport(tx, ada, { ...FORM, ...archive }));
    await rename(archive.path, `${archive.path}-elsewhere`);
    await expect(continueImport(t, id)).rejects.toMatchObject({ reason: "invalid" });
    await rename(`${archive.path}-elsewhere`, archive.path);
    const broken = await getImport(db, ada, id);
    expect([broken.state, broken.begunAt, await createImportReport(db, broken)]).toEqual([
      "broken",
      null,
      expect.not.stringContaining("new"),
    ]);
    await expect(
      within((tx) => requestUndo(tx, ada, { runId: id, includeNewContent: true })),
    ).rejects.toMatchObject({ reason: "conflict" });

    // The check succeeds after an automatic retry and after an admin resumes it.
    for (const again of [() => Promise.resolve(), () => within((tx) => resumeImport(tx, ada, id))]) {
      await again();
      const checked = await continueImport(t, id);
      expect([
        checked.state,
        checked.counts.post,
        await count("posts"),
        await count("imported_records"),
      ]).toEqual(["checked", { made: 4 }, 0, 0]);
      expect(await createImportReport(db, checked)).toContain("posts: 4 to import");
      await within((tx) => run(tx, sql`update import_runs set state = 'broken' where id = ${id}`));
    }
    const broke = await getImport(db, ada, id);
    expect(await createImportReport(db, broke)).toContain("posts: 4 to import");
    await within((tx) => resumeImport(tx, ada, id));
    await continueImport(t, id);
    await within((tx) => resumeImport(tx, ada, id));
    const importRun = await continueImport(t, id);
    expect([importRun.state, importRun.begunAt, await count("posts")]).toEqual([
      "done",
      database.clock.at,
      4,
    ]);
    await within((tx) => run(tx, sql`update import_runs set state = 'broken' where id = ${id}`));
    await within((tx) => resumeImport(tx, ada, id));
    expect((await getImport(db, ada, id)).state).toBe("running");
  });

  test("can be resumed after its process died", async () => {
    const { ada } = await createTestUsers(database);
    const t = await transfer();
    const archive = await heap();
    const { id } = await within((tx) => startImport(tx, ada, { ...FORM, ...archive }));
    const isLeft = async () => (await getImport(db, ada, id)).isLeft;
    const goesOn = () => within((tx) => resumeImport(tx, ada, id));
    const dies = () =>
      within((tx) =>
        run(
          tx,
          sql`update graphile_worker._private_jobs
            set locked_at = now() - interval '11 seconds', locked_by = 'gone'`,
        ),
      );
    const isRefused = async () => {
      expect(await isLeft()).toBe(false);
      await expect(goesOn()).rejects.toMatchObject({ reason: "conflict" });
    };
    for (const [state, next] of [
      ["checking", () => continueImport(t, id)],
      ["running", () => continueImport(t, id)],
      ["undoing", () => undoImport(t, { runId: id, by: null, includeNewContent: true })],
    ] as const) {
      if (state === "undoing")
        await within((tx) => requestUndo(tx, ada, { runId: id, includeNewContent: false }));
      // The job of this state has not run yet.
      await isRefused();
      await dies();
      await withImportLock(database, isRefused);
      expect([await isLeft(), (await getImport(db, ada, id)).state]).toEqual([true, state]);
      await goesOn();
      await isRefused();
      await next();
      if (state === "checking") await goesOn();
    }
    expect([await count("posts"), (await getImport(db, ada, id)).state]).toEqual([0, "undone"]);
  });

  test("does not appear abandoned while its job starts or ends", async () => {
    const { ada } = await createTestUsers(database);
    const t = await transfer();
    const { id } = await within(async (tx) => startImport(tx, ada, { ...FORM, ...(await heap()) }));
    await within((tx) =>
      run(tx, sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'here'`),
    );
    expect(await getImport(db, ada, id)).toMatchObject({ state: "checking", isLeft: false });

    let queries = 0;
    const ending: Db = {
      async query(text, values) {
        const result = await db.query(text, values);
        if (queries++ === 0) {
          await within((tx) => run(tx, sql`delete from graphile_worker._private_jobs where true`));
          await continueImport(t, id);
        }
        return result;
      },
    };
    expect(await getImport(ending, ada, id)).toMatchObject({ state: "checked", isLeft: false });
  });

  test("returns not-found to everyone but admins", async () => {
    const { ada, ines, mira, guest } = await createTestUsers(database);
    const { id } = await within(async (tx) => startImport(tx, ada, { ...FORM, ...(await heap()) }));
    for (const viewer of [ines, mira, guest, { ...ada, limited: true }])
      for (const read of [
        () => listImports(db, viewer),
        () => getImport(db, viewer, id),
        () => within((tx) => resumeImport(tx, viewer, id)),
        () => within((tx) => requestUndo(tx, viewer, { runId: id, includeNewContent: true })),
        () => within((tx) => startImport(tx, viewer, { ...FORM, path: "/x", fileName: "x" })),
      ])
        await expect(read()).rejects.toMatchObject({ reason: "not-found" });
    await expect(getImport(db, ada, "nonsense")).rejects.toMatchObject({ reason: "not-found" });
  });
});

test("import runs are listed page by page, latest first", async () => {
  const { ada } = await createTestUsers(database);
  for (let i = 0; i < 23; i++) {
    database.clock.pass(1_000);
    await within((tx) => startImport(tx, ada, { ...FORM, path: `/${i}`, fileName: `${i}` }));
  }
  const first = await listImports(db, ada);
  const second = await listImports(db, ada, { after: first.next! });
  expect([...first.rows, ...second.rows].map(({ fileName }) => fileName)).toEqual(
    Array.from({ length: 23 }, (_, i) => String(22 - i)),
  );
  expect([first.rows.length, second.next]).toEqual([20, null]);
});
