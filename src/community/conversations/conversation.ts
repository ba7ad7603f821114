import { type Db, maybeOne } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { type ConversationFacts, conversationRules, type SignedIn, type Viewer } from "#community/rules";
import {
  type Conversation,
  type ConversationForUpdate,
  selectConversation,
  selectForUpdate,
} from "./conversation-columns.ts";

/**
 * A conversation as the viewer sees it.
 * @throws `not-signed-in`, `not-found` for people who are not participants
 */
export async function getConversation(db: Db, viewer: Viewer, id: string): Promise<Conversation> {
  const me = requireSignedIn(viewer);
  const row = requireVisibleConversation(
    me,
    isId(id) ? await maybeOne(db, selectConversation(me, id)) : undefined,
  );
  const lastSeq = conversationRules.readsUpTo(row, row.lastSeq);
  // PostgreSQL returns times inside JSON values as text, so they are converted to dates.
  const entries = row.entries.map((it) => ({ ...it, at: new Date(it.at) }));
  return { ...row, lastSeq, entries, others: row.others.map((it) => ({ ...it, since: new Date(it.since) })) };
}

/**
 * Like `getConversation`, for commands that write: locks the row and omits the columns that only the page
 * needs.
 */
export async function getConversationForUpdate(
  db: Db,
  me: SignedIn,
  id: string,
): Promise<ConversationForUpdate> {
  return requireVisibleConversation(me, isId(id) ? await maybeOne(db, selectForUpdate(me, id)) : undefined);
}

/**
 * Returns the row of a conversation after checking that the viewer may see it.
 * @throws `not-found` for people who are not participants
 */
export function requireVisibleConversation<Row extends ConversationFacts>(
  me: SignedIn,
  row: Row | undefined,
): Row {
  if (!row || !conversationRules.see(me, row)) throw notFound();
  return row;
}
