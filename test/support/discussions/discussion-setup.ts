import type { Viewer } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { getDiscussion } from "../../../src/community/discussions/index.ts";
import { getPostsPage } from "./shared-posts.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

/** Creates a group owned by Tomas with Mira as a member, and a discussion started by Mira. */
export async function setupDiscussion(visibility: "public" | "private" | "secret" = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  return { ...people, group, discussion };
}

export const getPosts = async (
  viewer: Viewer,
  id: string,
  where: { page: number } | { post: number } = { page: 1 },
) => getPostsPage(db, viewer, await getDiscussion(db, viewer, id), where);
