import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Change, Noun } from "./changes.ts";
import { readDiscussion } from "./discussions.ts";
import { readComment } from "./comments.ts";
import { readMessage } from "./messages.ts";
import { readGroup, readMembership } from "./groups.ts";
import { readPost, readReaction } from "./posts.ts";
import type { Sight, WireRecord } from "./records.ts";

export { changesIn, memberIn, NOUNS } from "./changes.ts";
export type { Change, Noun } from "./changes.ts";
export type { Sight, WireRecord } from "./records.ts";
export { companyOf, followersOf } from "./scopes.ts";
export { companyAnywhere } from "./company.ts";
export type { Company, Scope } from "./scopes.ts";
export { concernedBy } from "./concerned.ts";
export { AUTOMATED, AUTOMATED_BY, AUTOMATED_EVENTS, automatedChangesIn, couldRead, handedOn } from "./automated.ts";
export type { AutomatedChange } from "./automated.ts";
export { VIEWED, viewedChangesIn, viewedIn } from "./viewed.ts";
export type { ViewedChange } from "./viewed.ts";

// The same entities as tables that API clients query.
export { PUBLISHED } from "./nouns/index.ts";
export { rowFor } from "./nouns/row.ts";
export type { Row } from "./nouns/row.ts";
export type { PublishedColumn, PublishedNoun, PublishedRelation } from "./nouns/noun.ts";

const READINGS: Record<Noun, (db: Db, change: Change, people: string[]) => Promise<Sight | null>> = {
  Posts: readPost,
  Discussions: readDiscussion,
  Reactions: readReaction,
  Memberships: readMembership,
  Groups: readGroup,
  Comments: readComment,
  Messages: readMessage,
};

/**
 * The changed record as each of these people (and a guest) may read it, in one statement; null if it does not
 * exist.
 */
export const sightOf = (db: Db, change: Change, people: string[]): Promise<Sight | null> => READINGS[change.table](db, change, people);

/** A record as the viewer may read it; null if missing or hidden. */
export async function recordFor(
  db: Db,
  viewer: Viewer,
  table: "Posts" | "Discussions" | "Groups" | "Comments" | "Messages",
  objectId: string,
): Promise<WireRecord | null> {
  const sight = await sightOf(db, { table, event: "updated", ids: { objectId } }, viewer.id === null ? [] : [viewer.id]);
  return sight?.(viewer.id) ?? null;
}
