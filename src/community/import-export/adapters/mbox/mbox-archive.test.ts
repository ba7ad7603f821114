import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { createMailingListArchive } from "../../../../../test/support/import-export/mailing-list-archive.ts";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, remarks } = createAdapterSetup(database, "mbox");

const COUNT = 600;

test("every mail of a Mailman archive is imported in its thread, or a warning states why not", async () => {
  const archive = createMailingListArchive(COUNT);
  const files = Object.fromEntries(
    Object.entries(archive.files).map(([name, bytes]) => [`garden/${name}`, bytes]),
  );
  const run = await bring(await write(files));
  const posts = await many(
    db,
    sql<{ body: string; discussion: string }>`select body_md as body, discussion_id as discussion from posts`,
  );
  const warnings = await remarks(run);
  const clashes = warnings.filter((it) => it.includes("has the same Message-ID and a different text"));
  expect(archive.clashing).toBeGreaterThan(0);
  expect([clashes.length, warnings.length]).toEqual([archive.clashing, archive.clashing]);
  expect(posts.length + archive.clashing).toBe(COUNT);
  const placeOf = new Map(
    posts.map(({ body, discussion }) => [/^Line \d+ of the archive\.$/m.exec(body)?.[0], discussion]),
  );
  expect(archive.mails.filter(({ line }) => !placeOf.has(line))).toEqual([]);
  const threads = Map.groupBy(archive.mails, (it) => it.thread);
  const torn = [...threads.values()].filter(
    (mails) => new Set(mails.map(({ line }) => placeOf.get(line))).size > 1,
  );
  expect([torn, new Set(placeOf.values()).size]).toEqual([[], threads.size]);
  expect(posts.filter(({ body }) => /\uFFFD|example\.org/.test(body))).toEqual([]);
  expect(
    posts.filter(({ body }) => body.includes("Gr")).every(({ body }) => body.includes("Grüße aus Köln")),
  ).toBe(true);
});
