import { many, run, sql, type Tx } from "#platform/database";
import type { SignedIn, Viewer } from "#community/rules";
import { aDiscussion, aGroup, aReply, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { discussionFor, postsOf } from "./index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
export const why = "It helps to find it.";

/** Tomas's group with Mira in it, and a discussion of hers with his reply. */
export async function setting(visibility: "public" | "private" = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people, { visibility });
  const discussion = await aDiscussion(database, people.mira, group.id);
  const answer = await aReply(database, people.tomas, discussion.id);
  return { ...people, group, discussion, answer, at: { discussionId: discussion.id } };
}
export const lines = async (viewer: Viewer, id: string) =>
  (await postsOf(db, viewer, await discussionFor(db, viewer, id), { page: 1 })).lines;
export const kinds = async (viewer: Viewer, id: string) => (await lines(viewer, id)).map(({ kind }) => kind);
export type Deed = (tx: Tx, viewer: Viewer) => Promise<unknown>;

/** A picture shown by a post. */
export const aPictureIn = (by: SignedIn, postId: string) =>
  run(
    db,
    sql`insert into uploads (id, owner_id, hash, size, mime, width, height, attached_kind, attached_id, created_at)
        values (gen_random_uuid(), ${by.id}, ${postId}, 5, 'image/webp', 1, 1, 'post', ${postId}, now())`,
  );
export const freed = async () => (await many(db, sql`select from uploads where attached_kind is null and attached_id is null`)).length;
