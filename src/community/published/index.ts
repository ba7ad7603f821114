import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Change, Noun } from "./changes.ts";
import { readDiscussion } from "./discussions.ts";
import { readMessage } from "./messages.ts";
import { readGroup, readMembership } from "./groups.ts";
import { readPost, readReaction } from "./posts.ts";
import type { Sight, WireRecord } from "./records.ts";

export { changesIn, memberIn, NOUNS } from "./changes.ts";
export type { Change, Noun } from "./changes.ts";
export type { Sight, WireRecord } from "./records.ts";
export { companyOf, followersOf } from "./scopes.ts";
export type { Company, Scope } from "./scopes.ts";
export { concernedBy } from "./concerned.ts";

const READINGS: Record<Noun, (db: Db, change: Change, people: string[]) => Promise<Sight | null>> = {
  Posts: readPost,
  Discussions: readDiscussion,
  Reactions: readReaction,
  Memberships: readMembership,
  Groups: readGroup,
  Messages: readMessage,
};

/** The record that changed as each of these people (and a guest) may read it, in one statement; null when it is not there. */
export const sightOf = (db: Db, change: Change, people: string[]): Promise<Sight | null> => READINGS[change.table](db, change, people);

/** A record as the viewer reads it; null for what is not there and for what they may not read. */
export async function recordFor(
  db: Db,
  viewer: Viewer,
  table: "Posts" | "Discussions" | "Groups" | "Messages",
  objectId: string,
): Promise<WireRecord | null> {
  const sight = await sightOf(db, { table, event: "updated", ids: { objectId } }, viewer.id === null ? [] : [viewer.id]);
  return sight?.(viewer.id) ?? null;
}
