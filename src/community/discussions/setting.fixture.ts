import type { Viewer } from "#community/rules";
import { aDiscussion, aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { discussionFor, postsOf } from "./index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

/** Tomas's group with Mira in it, and a discussion of hers. */
export async function setting(visibility: "public" | "private" | "secret" = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people, { visibility });
  const discussion = await aDiscussion(database, people.mira, group.id);
  return { ...people, group, discussion };
}

export const posts = async (viewer: Viewer, id: string, where: { page: number } | { post: number } = { page: 1 }) =>
  postsOf(db, viewer, await discussionFor(db, viewer, id), where);
