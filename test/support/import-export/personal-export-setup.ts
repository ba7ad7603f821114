import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll } from "vitest";
import { run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { requestExport, completeExport } from "#community/accounts";
import { startConversation } from "#community/conversations";
import { makePersonalExport } from "#community/import-export";
import { recordUpload } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { createTestAccounts } from "../accounts/test-accounts.ts";
import { testDatabase } from "../setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestReply, createTestUsers } from "../test-users.ts";

export const database = await testDatabase();
export const { db, inTransaction: within, clock } = database;
export const folder = await mkdtemp(join(tmpdir(), "kith-export-"));
afterAll(() => rm(folder, { recursive: true }));
export const storage = createFolderStorage(join(folder, "files"));
export const app = { database, storage };
export const requestPersonalExport = (viewer: SignedIn) => within((tx) => requestExport(tx, viewer));
export async function makeExport(viewer: SignedIn) {
  const { id } = await requestPersonalExport(viewer);
  const it = await makePersonalExport(app, id);
  await completeExport(createTestAccounts(database), it!);
  return it!;
}

/** Creates posts, messages and uploads by Mira, and a reply by Tomas. */
export async function setupActivePeople() {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "secret", name: "Cellar" });
  const discussion = await createTestDiscussion(database, mira, group.id, {
    title: "Own title",
    body: "Own words",
  });
  await createTestReply(database, tomas, discussion.id, { body: "Strange words" });
  const other = await createTestDiscussion(database, tomas, group.id, {
    title: "Strange title",
    body: "Strange words",
  });
  await createTestReply(database, mira, other.id, { body: "Own answer" });
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "Own message" }));
  await within((tx) => startConversation(tx, tomas, { to: ["noor"], name: "", body: "Strange message" }));
  const stored = await storage.put(Readable.from([Buffer.from("own bytes")]), 100);
  await within((tx) =>
    recordUpload(tx, mira, { ...stored, mime: "text/plain", fileName: "../../notes & more.txt" }),
  );
  return { ...people, group };
}
