import { MINUTE } from "#platform/clock";
import type { Viewer, Visibility } from "#community/rules";
import { aDiscussion, aGroup, aReply, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { discussionFor, postsOf } from "./index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
export const reason = "It belongs there.";

/** Two groups of Tomas's, both with Mira, and a discussion of hers with five replies a minute apart. */
export async function setting(there: Visibility = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people);
  const other = await aGroup(database, people, { name: "The Orchard", visibility: there });
  const { id, postId } = await aDiscussion(database, people.mira, group.id);
  const ids = [postId];
  for (let n = 2; n <= 6; n++) {
    database.clock.pass(MINUTE);
    ids.push((await aReply(database, n % 2 ? people.mira : people.tomas, id, { body: `Number ${n}`, replyTo: ids.at(-1) })).id);
  }
  database.clock.pass(MINUTE);
  return { ...people, group, other, id, ids };
}
export const page = async (viewer: Viewer, id: string) => postsOf(db, viewer, await discussionFor(db, viewer, id), { page: 1 });
export const numbers = async (viewer: Viewer, id: string) => (await page(viewer, id)).posts.map(({ number }) => number);
