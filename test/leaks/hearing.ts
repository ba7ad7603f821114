import type { Viewer } from "#community/rules";
import type { LeakCommunity } from "../leaky-place.ts";
import { conversationReads } from "./conversations.ts";
import { discussionReads } from "./discussions.ts";
import { groupReads } from "./groups.ts";
import { database, filing } from "./house.ts";
import { libraryReads } from "./library.ts";
import { notificationReads } from "./notifications.ts";
import { peopleReads } from "./people.ts";
import { entityReads } from "./published.ts";
import { searchReads } from "./search.ts";

/** Every read. A new one is a line in the table of its subject. */
export const READS = [
  groupReads,
  discussionReads,
  entityReads,
  libraryReads,
  conversationReads,
  peopleReads,
  notificationReads,
  searchReads,
].flatMap((table) => Object.entries(table));

/** Everything a viewer receives; refusals by their message. */
export async function collectReads(viewer: Viewer, at: LeakCommunity): Promise<Record<string, string>> {
  await filing.beginAgain();
  await filing.finish();
  const heard = READS.map(async ([name, read]) => {
    const answer = await read(database.db, viewer, at).catch((error: Error) => {
      if (!("reason" in error)) throw error;
      return error.message;
    });
    return [name, JSON.stringify(answer)] as const;
  });
  return Object.fromEntries(await Promise.all(heard));
}

export const findReadsWith = (word: string, heard: Record<string, string>) =>
  Object.keys(heard).filter((name) => heard[name]!.toLowerCase().includes(word.toLowerCase()));
