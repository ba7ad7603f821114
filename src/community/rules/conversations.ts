import { isSignedIn, type Viewer } from "./viewer.ts";

export type ConversationFacts = {
  viewerState: "request" | "accepted" | "deleted" | "left" | null;
  /** In a direct conversation: one of the two blocks the other. */
  blocked: boolean;
};

/** What is said in a conversation is for those in it; staff are not, unless somebody reports it. */
export const conversationRules = {
  see: (who: Viewer, it: ConversationFacts) => isSignedIn(who) && (it.viewerState === "accepted" || it.viewerState === "request"),
  write: (who: Viewer, it: ConversationFacts) => conversationRules.see(who, it) && !it.blocked,
};
