import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { createFileStore, parsePath } from "#baas/files";
import { createFetcher } from "#platform/fetcher";
import type { Scanner } from "#platform/scanner";
import { createFolderStorage } from "#platform/storage";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { receiveApiFiles } from "./receive-api-files.ts";

const database = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "kith-file-sent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Holds the first file until the second one has arrived. */
const inTurn = Promise.withResolvers<void>();
const scanner: Scanner = {
  async scan(from) {
    const words = (await buffer(from)).toString();
    if (words === "first") await inTurn.promise;
    else setImmediate(inTurn.resolve);
    return { found: null };
  },
};
const rules = async () =>
  ({
    readers: "everybody",
    writers: "everybody",
    sharedPermissions: false,
    fileBytes: 1_000,
    roomBytes: 10_000,
    most: 100,
  }) as const;
const files = createFileStore({
  database,
  storage: createFolderStorage(folder),
  scanner,
  fetcher: createFetcher(),
  rules,
});

test("all files of a form are stored when the response is sent, even if a later file finishes first", async () => {
  const form = new FormData();
  form.append("file", new File(["first"], "beans.txt"));
  form.append("file", new File(["second"], "peas.txt"));
  const sent = await receiveApiFiles(
    { files },
    parsePath("beds"),
    new Request("http://kith.test/", { method: "POST", body: form }),
  );
  expect(sent.get("sent")).toBe("2");
  const names = await many(
    database.db,
    sql<{ name: string }>`select name from api_files where name like '%.txt' order by name`,
  );
  expect(names.map(({ name }) => name)).toEqual(["beans.txt", "peas.txt"]);
});
