import type { Viewer } from "#community/rules";
import type { Place } from "../leaky-place.ts";
import { conversations } from "./conversations.ts";
import { discussions } from "./discussions.ts";
import { groups } from "./groups.ts";
import { database, filing } from "./house.ts";
import { library } from "./library.ts";
import { notifications } from "./notifications.ts";
import { people } from "./people.ts";
import { published } from "./published.ts";
import { search } from "./search.ts";

/** Every read. A new one is a line in the table of its subject. */
export const READS = [groups, discussions, published, library, conversations, people, notifications, search].flatMap((table) =>
  Object.entries(table),
);

/** Everything a viewer receives; refusals by their message. */
export async function hears(viewer: Viewer, at: Place): Promise<Record<string, string>> {
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

export const waysTo = (word: string, heard: Record<string, string>) =>
  Object.keys(heard).filter((name) => heard[name]!.toLowerCase().includes(word.toLowerCase()));
