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
  const heard: Record<string, string> = {};
  // One after another, all reads use the same connection, which then has their plans already.
  for (const [name, read] of READS) {
    if (names && !names.includes(name)) continue;
    const answer = await read(database.db, viewer, at).catch((error: Error) => {
      if (!("reason" in error)) throw error;
      return error.message;
    });
    heard[name] = JSON.stringify(answer);
  }
  return heard;
}

export const findReadsWith = (word: string, heard: Record<string, string>) =>
  Object.keys(heard).filter((name) => heard[name]!.toLowerCase().includes(word.toLowerCase()));
