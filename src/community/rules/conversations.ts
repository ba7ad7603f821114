import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

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

export type MessageStub = "deleted" | "blocked" | "blocked-by-viewer";
/** A message, and its author as the viewer stands to them; here staff are as everybody is. */
type StubFacts = { deleted: boolean; blocksViewer: boolean; viewerBlocks: boolean };

/** What is said in a conversation is for those in it; staff are not, unless somebody reports it. */
export const conversationRules = {
  see: (who: Viewer, it: ConversationFacts) => isSignedIn(who) && (it.viewerState === "accepted" || it.viewerState === "request"),
  /** The number of the last message that they read, of so many: of a request the first, until it is accepted. Numbers begin behind `joinedSeq`. */
  readsUpTo: ({ viewerState, joinedSeq }: Pick<ConversationFacts, "viewerState"> & { joinedSeq: number }, lastSeq: number) =>
    viewerState === "request" ? Math.min(lastSeq, joinedSeq + 1) : lastSeq,
  /** Answering a request accepts it. */
  write: (who: Viewer, it: ConversationFacts) => conversationRules.see(who, it) && !it.blocked,
  /** Send files along. Pictures may go with the first message already. */
  sendFiles: (who: Viewer, it: ConversationFacts) => conversationRules.write(who, it) && (who.trust === "established" || isStaff(who)),
  /** Hear at once what is said and who is writing; after a block there is nothing to hear. */
  follow: (who: Viewer, it: ConversationFacts) => conversationRules.write(who, it),
  /** What stands in place of a message. What two people said to each other stays with both; among several a block parts them. */
  stub: ({ kind }: Pick<ConversationFacts, "kind">, it: StubFacts): MessageStub | null => {
    if (it.deleted) return "deleted";
    if (kind === "direct") return null;
    return it.blocksViewer ? "blocked" : it.viewerBlocks ? "blocked-by-viewer" : null;
  },
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
