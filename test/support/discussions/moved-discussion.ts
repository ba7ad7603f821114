import { MINUTE } from "#platform/clock";
import type { Viewer, Visibility } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestReply, createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { getDiscussion } from "../../../src/community/discussions/index.ts";
import { getPostsPage } from "./shared-posts.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
export const REASON = "It belongs there.";

/**
 * Creates two groups owned by Tomas, both with Mira as a member, and a discussion started by Mira with five
 * replies a minute apart.
 */
export async function setupMove(there: Visibility = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const other = await createTestGroup(database, people, { name: "The Orchard", visibility: there });
  const { id, postId } = await createTestDiscussion(database, people.mira, group.id);
  const ids = [postId];
  for (let n = 2; n <= 6; n++) {
    database.clock.pass(MINUTE);
    ids.push(
      (
        await createTestReply(database, n % 2 ? people.mira : people.tomas, id, {
          body: `Number ${n}`,
          replyTo: ids.at(-1),
        })
      ).id,
    );
  }
  database.clock.pass(MINUTE);
  return { ...people, group, other, id, ids };
}
export const getFirstPage = async (viewer: Viewer, id: string) =>
  getPostsPage(db, viewer, await getDiscussion(db, viewer, id), { page: 1 });
export const listNumbers = async (viewer: Viewer, id: string) =>
  (await getFirstPage(viewer, id)).posts.map(({ number }) => number);
