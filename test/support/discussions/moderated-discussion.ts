import { many, run, sql, type Tx } from "#platform/database";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestReply, createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { getDiscussion } from "../../../src/community/discussions/index.ts";
import { getPostsPage } from "./shared-posts.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
export const REASON = "It helps to find it.";

/**
 * Creates a group owned by Tomas with Mira as a member, and a discussion started by Mira with a reply by
 * Tomas.
 */
export async function setupModeration(visibility: "public" | "private" = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const answer = await createTestReply(database, people.tomas, discussion.id);
  return { ...people, group, discussion, answer, at: { discussionId: discussion.id } };
}
export const listEntries = async (viewer: Viewer, id: string) =>
  (await getPostsPage(db, viewer, await getDiscussion(db, viewer, id), { page: 1 })).entries;
export const listEntryKinds = async (viewer: Viewer, id: string) =>
  (await listEntries(viewer, id)).map(({ kind }) => kind);
export type Command = (tx: Tx, viewer: Viewer) => Promise<unknown>;

/** Attaches a picture to a post. */
export const attachTestPicture = (by: SignedIn, postId: string) =>
  run(
    db,
    sql`insert into uploads (id, owner_id, hash, size, mime, width, height, attached_kind, attached_id,
      created_at)
        values (gen_random_uuid(), ${by.id}, ${postId}, 5, 'image/webp', 1, 1, 'post', ${postId}, now())`,
  );
export const countFreedUploads = async () =>
  (await many(db, sql`select from uploads where attached_kind is null and attached_id is null`)).length;
