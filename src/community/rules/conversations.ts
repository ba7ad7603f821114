import { LIMITS } from "./limits.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

export type ConversationFacts = {
  kind: "direct" | "group";
  viewerState: "request" | "accepted" | "deleted" | "left" | null;
  /** In a direct conversation: one of the two blocks the other. */
  blocked: boolean;
  /** The viewer has begun it, or taken it over from who did. */
  mine: boolean;
};
export type MessageFacts = {
  /** The viewer wrote it. */
  mine: boolean;
  /** What stands in its place for the viewer; null where they read it. */
  stub: string | null;
  createdAt: Date;
};

/** What is said in a conversation is for those in it; staff are not, unless somebody reports it. */
export const conversationRules = {
  see: (who: Viewer, it: ConversationFacts) => isSignedIn(who) && (it.viewerState === "accepted" || it.viewerState === "request"),
  /** Answering a request accepts it. */
  write: (who: Viewer, it: ConversationFacts) => conversationRules.see(who, it) && !it.blocked,
  /** Bring others in, and name it. */
  shape: (who: Viewer, it: ConversationFacts) => inside(who, it) && it.kind === "group",
  remove: (who: Viewer, it: ConversationFacts) => conversationRules.shape(who, it) && it.mine,
  react: (who: Viewer, it: ConversationFacts, message: MessageFacts) => inside(who, it) && !it.blocked && message.stub === null,
  edit: (who: Viewer, it: ConversationFacts, message: MessageFacts, now: Date) =>
    inside(who, it) && !it.blocked && message.stub === null && isFresh(message, now),
  /** Take it back for everybody. Out of one's own sight goes any message, at any time. */
  takeBack: (who: Viewer, it: ConversationFacts, message: MessageFacts, now: Date) =>
    inside(who, it) && message.stub === null && isFresh(message, now),
};

const inside = (who: Viewer, it: ConversationFacts) => isSignedIn(who) && it.viewerState === "accepted";
const isFresh = ({ mine, createdAt }: MessageFacts, now: Date) =>
  mine && now.getTime() - createdAt.getTime() <= LIMITS.conversation.changeMinutes * 60_000;
