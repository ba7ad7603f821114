import type { Viewer } from "#community/rules";
import type { LeakCommunity } from "./community.ts";
import { assistantReads } from "./assistant-reads.ts";
import { conversationReads } from "./conversation-reads.ts";
import { discussionReads } from "./discussion-reads.ts";
import { eventReads } from "./event-reads.ts";
import { groupReads } from "./group-reads.ts";
import { database, indexer } from "./leak-context.ts";
import { libraryReads } from "./library-reads.ts";
import { notificationReads } from "./notification-reads.ts";
import { peopleReads } from "./people-reads.ts";
import { entityReads } from "./entity-reads.ts";
import { searchReads } from "./search-reads.ts";
import { webhookReads } from "./webhook-reads.ts";

/** Every read. Add a new read to the table of its subject. */
export const READS = [
  groupReads,
  discussionReads,
  entityReads,
  libraryReads,
  eventReads,
  conversationReads,
  peopleReads,
  notificationReads,
  searchReads,
  assistantReads,
  webhookReads,
].flatMap((table) => Object.entries(table));

/** Returns what a viewer receives from all reads, or only from those in `names`; for a refusal, its message. */
export async function collectReads(
  viewer: Viewer,
  at: LeakCommunity,
  names?: readonly string[],
): Promise<Record<string, string>> {
  await indexer.beginAgain();
  await indexer.finish();
  const heard = READS.filter(([name]) => names?.includes(name) ?? true).map(async ([name, read]) => {
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
