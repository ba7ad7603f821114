import { conversationFor, type Conversation, messageSource, messagesOf } from "#community/conversations";
import { draftFor, place } from "#community/discussions";
import { conversationRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { asked } from "../forms.ts";

/** Which of a conversation's messages a page shows; none of them said: the latest. */
export type Window = { before?: number | undefined; after?: number | undefined; at?: number | undefined };

/** So much that is new is read from its beginning; a few messages of before stand above it. */
const MUCH = 40;
const BEFORE = 5;

const numberIn = (url: URL, name: string) => Math.trunc(Math.min(2e9, Math.max(0, Number(asked(url, name))))) || undefined;
export const windowIn = (url: URL): Window => ({ before: numberIn(url, "before"), after: numberIn(url, "after"), at: numberIn(url, "at") });

/** Whoever comes back to much that is new begins where they stopped. */
function onArrival(url: URL, { lastSeq, readUpTo, joinedSeq, viewerState }: Conversation): Window {
  const window = windowIn(url);
  const since = Math.max(readUpTo, joinedSeq);
  const isPlain = window.before === undefined && window.after === undefined && window.at === undefined;
  return isPlain && !asked(url, "latest") && viewerState === "accepted" && lastSeq - since > MUCH
    ? { after: Math.max(1, since - BEFORE) }
    : window;
}

/** All that the page of a conversation shows. Throws `not-signed-in`, and `not-found` for who is not in it. */
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

/** As far as somebody has read who has this page before them; null where that is nothing new, or is not to be noted. */
export function readTo(
  { lastSeq, readUpTo, viewerState }: Conversation,
  { messages, hasNewer }: { messages: { seq: number }[]; hasNewer: boolean },
): number | null {
  const upTo = hasNewer ? (messages.at(-1)?.seq ?? 0) : lastSeq;
  // Somebody who has written unasked is not told whether it was read.
  return viewerState === "accepted" && upTo > readUpTo ? upTo : null;
}
