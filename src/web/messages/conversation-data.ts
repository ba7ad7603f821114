import {
  getConversation,
  type Conversation,
  getMessageSource,
  getMessagesPage,
} from "#community/conversations";
import { getDraft, draftTargets } from "#community/discussions";
import { conversationRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { readQueryParam } from "../form-parsing.ts";

/** Sequence numbers that choose which messages a page shows; without any, the latest. */
export type MessageRange = {
  before?: number | undefined;
  after?: number | undefined;
  at?: number | undefined;
};

/**
 * From this number of unread messages on, the page starts at the first unread message, after a few earlier
 * ones.
 */
const MANY_UNREAD = 40;
const CONTEXT_MESSAGES = 5;

const readSeq = (url: URL, name: string) =>
  Math.trunc(Math.min(2e9, Math.max(0, Number(readQueryParam(url, name))))) || undefined;
export const readMessageRange = (url: URL): MessageRange => ({
  before: readSeq(url, "before"),
  after: readSeq(url, "after"),
  at: readSeq(url, "at"),
});

/** Chooses the first messages to show: with many unread messages, those where the person stopped reading. */
function initialRange(url: URL, { lastSeq, readUpTo, joinedSeq, viewerState }: Conversation): MessageRange {
  const window = readMessageRange(url);
  const since = Math.max(readUpTo, joinedSeq);
  const isPlain = window.before === undefined && window.after === undefined && window.at === undefined;
  return isPlain &&
    !readQueryParam(url, "latest") &&
    viewerState === "accepted" &&
    lastSeq - since > MANY_UNREAD
    ? { after: Math.max(1, since - CONTEXT_MESSAGES) }
    : window;
}

/**
 * All data of a conversation page.
 * @throws `not-signed-in` for guests
 * @throws `not-found` for people who are not participants
 */
export async function getConversationPage(db: Db, viewer: Viewer, id: string, url: URL) {
  const conversation = await getConversation(db, viewer, id);
  const window = initialRange(url, conversation);
  const doing = {
    more: readQueryParam(url, "more"),
    reply: readQueryParam(url, "reply"),
    edit: readQueryParam(url, "edit"),
  };
  const where = draftTargets.conversation(conversation.id);
  const [page, draft, source] = await Promise.all([
    getMessagesPage(db, viewer, conversation, window),
    getDraft(db, viewer, where),
    doing.edit ? getMessageSource(db, viewer, doing.edit) : null,
  ]);
  const canWrite = conversationRules.write(viewer, conversation);
  const canSendFiles = conversationRules.sendFiles(viewer, conversation);
  return {
    conversation,
    page,
    window,
    draft,
    place: where,
    canWrite: canWrite,
    canSendFiles,
    openActions: { ...doing, source },
    /** The beginning of the message that is replied to. */
    quoted: createExcerpt(page.messages.find((message) => message.id === doing.reply)?.html ?? "", 140),
    clientId: crypto.randomUUID(),
  };
}
export type ConversationData = Awaited<ReturnType<typeof getConversationPage>> & { asOf: number };

/**
 * Returns the new read position of a person who sees this page; null if it has not advanced or may not be
 * stored.
 */
export function getNewReadPosition(
  { lastSeq, readUpTo, viewerState }: Conversation,
  { messages, hasNewer }: { messages: { seq: number }[]; hasNewer: boolean },
): number | null {
  const upTo = hasNewer ? (messages.at(-1)?.seq ?? 0) : lastSeq;
  // Until a message request is accepted no read position is stored, so its sender does not learn whether it
  // was read.
  return viewerState === "accepted" && upTo > readUpTo ? upTo : null;
}
