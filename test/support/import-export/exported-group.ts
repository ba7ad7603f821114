import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createFolderStorage, type Storage } from "#platform/storage";
import {
  completeGroupExport,
  getGroup,
  getGroupExportFile,
  getGroupExportStatus,
  requestGroupExport,
} from "#community/groups";
import { makeGroupExport } from "#community/import-export";
import type { SignedIn, Viewer } from "#community/rules";
import { testDatabase } from "../setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers, setMembership } from "../test-users.ts";

export const database = await testDatabase();
export const { db, inTransaction: within, clock } = database;
export const folder = await mkdtemp(join(tmpdir(), "kith-along-"));
afterAll(() => rm(folder, { recursive: true }));
export const storage = createFolderStorage(join(folder, "files"));
/** The community named in the mail about an export. */
export const SENDER = {
  community: "Lindenhof",
  linkTo: (slug: string) => `https://kith.test/groups/${slug}/manage/end`,
};
export const NOT_FOUND = { reason: "not-found" };

/** Creates a secret group owned by Tomas and Noor, with Mira as a member. */
export async function setupExportedGroup() {
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people, { visibility: "secret", name: "Cellar" });
  await within((tx) => setMembership(tx, groupId, people.noor, "owner"));
  const discussion = await createTestDiscussion(database, people.mira, groupId, {
    title: "Own title",
    body: "First words",
  });
  const state = async (who: SignedIn) =>
    getGroupExportStatus(db, who, await getGroup(db, who, groupId), clock.at);
  return { ...people, groupId, discussion, state };
}

export const requestExport = (who: SignedIn, groupId: string) =>
  within((tx) => requestGroupExport(tx, who, { groupId }));
export async function makeRequestedExport(id: string, into: Storage = storage) {
  const it = await makeGroupExport({ database, storage: into }, id);
  if (it) await within((tx) => completeGroupExport(tx, it, SENDER));
  return it;
}
export async function makeExport(who: SignedIn, groupId: string) {
  const { id } = await requestExport(who, groupId);
  return (await makeRequestedExport(id))!;
}
export const getExportFile = (who: Viewer, id: string) => getGroupExportFile(db, who, id, clock.at);
