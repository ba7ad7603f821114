import { conversationFor, type Conversation, messageSource, messagesOf } from "#community/conversations";
import { draftFor, place } from "#community/discussions";
import { conversationRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { asked } from "../forms.ts";

/** The messages a page shows, by sequence number; the latest if none is given. */
export type Window = { before?: number | undefined; after?: number | undefined; at?: number | undefined };

/** From this many unread messages on, the page starts at the first of them, after a few earlier ones. */
const MUCH = 40;
const BEFORE = 5;

const numberIn = (url: URL, name: string) => Math.trunc(Math.min(2e9, Math.max(0, Number(asked(url, name))))) || undefined;
export const windowIn = (url: URL): Window => ({ before: numberIn(url, "before"), after: numberIn(url, "after"), at: numberIn(url, "at") });

/** Returning to many unread messages starts where the person stopped reading. */
function onArrival(url: URL, { lastSeq, readUpTo, joinedSeq, viewerState }: Conversation): Window {
  const window = windowIn(url);
  const since = Math.max(readUpTo, joinedSeq);
  const isPlain = window.before === undefined && window.after === undefined && window.at === undefined;
  return isPlain && !asked(url, "latest") && viewerState === "accepted" && lastSeq - since > MUCH
    ? { after: Math.max(1, since - BEFORE) }
    : window;
}

/**
 * All data of a conversation page.
 * @throws `not-signed-in` for guests
 * @throws `not-found` for people who are not in it
 */
export async function conversationPage(db: Db, viewer: Viewer, id: string, url: URL) {
  const conversation = await conversationFor(db, viewer, id);
  const window = onArrival(url, conversation);
  const doing = {
    more: asked(url, "more"),
    reply: asked(url, "reply"),
    edit: asked(url, "edit"),
  };
  const where = place.conversation(conversation.id);
  const [page, draft, source] = await Promise.all([
    messagesOf(db, viewer, conversation, window),
    draftFor(db, viewer, where),
    doing.edit ? messageSource(db, viewer, doing.edit) : null,
  ]);
  const mayWrite = conversationRules.write(viewer, conversation);
  const maySendFiles = conversationRules.sendFiles(viewer, conversation);
  return {
    conversation,
    page,
    window,
    draft,
    place: where,
    mayWrite,
    maySendFiles,
    doing: { ...doing, source },
    clientId: crypto.randomUUID(),
  };
}
export type ConversationData = Awaited<ReturnType<typeof conversationPage>> & { asOf: number };

/**
 * The new read position of a person who sees this page; null if it has not advanced or must not be recorded.
 */
export function readTo(
  { lastSeq, readUpTo, viewerState }: Conversation,
  { messages, hasNewer }: { messages: { seq: number }[]; hasNewer: boolean },
): number | null {
  const upTo = hasNewer ? (messages.at(-1)?.seq ?? 0) : lastSeq;
  // The sender of a message request does not learn whether it was read.
  return viewerState === "accepted" && upTo > readUpTo ? upTo : null;
}
