import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type ConversationFacts = {
  kind: "direct" | "group";
  viewerState: "request" | "accepted" | "deleted" | "left" | null;
  /** Direct conversation with a block in either direction. */
  blocked: boolean;
  /** The viewer is its creator or the successor. */
  mine: boolean;
};
export type MessageFacts = {
  mine: boolean;
  /** Stub shown to the viewer; null if they read the message. */
  stub: string | null;
  createdAt: Date;
};

export type MessageStub = "deleted" | "blocked" | "blocked-by-viewer";
/** A message and the relationship of its author to the viewer; staff have no special rights here. */
type StubFacts = { deleted: boolean; blocksViewer: boolean; viewerBlocks: boolean };

/** Conversations are for participants only; staff see reported messages only. */
export const conversationRules = {
  see: (viewer: Viewer, it: ConversationFacts) =>
    isSignedIn(viewer) && (it.viewerState === "accepted" || it.viewerState === "request"),
  /**
   * Number of the last message the participant reads: for a pending request the first one. Numbers start
   * after `joinedSeq`.
   */
  readsUpTo: (
    { viewerState, joinedSeq }: Pick<ConversationFacts, "viewerState"> & { joinedSeq: number },
    lastSeq: number,
  ) => (viewerState === "request" ? Math.min(lastSeq, joinedSeq + 1) : lastSeq),
  /** Replying to a request accepts it. */
  write: (viewer: Viewer, it: ConversationFacts) => conversationRules.see(viewer, it) && !it.blocked,
  /** Send files. Pictures are allowed in a first message already. */
  sendFiles: (viewer: Viewer, it: ConversationFacts) =>
    conversationRules.write(viewer, it) && (viewer.trust === "established" || isStaff(viewer)),
  /** Receive live messages and typing; nothing after a block. */
  follow: (viewer: Viewer, it: ConversationFacts) => conversationRules.write(viewer, it),
  /**
   * Stub in place of a message. A direct conversation stays readable after a block; in a group conversation
   * blocked people see stubs.
   */
  stub: ({ kind }: Pick<ConversationFacts, "kind">, stubFacts: StubFacts): MessageStub | null => {
    if (stubFacts.deleted) return "deleted";
    if (kind === "direct") return null;
    return stubFacts.blocksViewer ? "blocked" : stubFacts.viewerBlocks ? "blocked-by-viewer" : null;
  },
  /** Add participants and rename it. */
  shape: (viewer: Viewer, it: ConversationFacts) => isParticipant(viewer, it) && it.kind === "group",
  remove: (viewer: Viewer, it: ConversationFacts) => conversationRules.shape(viewer, it) && it.mine,
  react: (viewer: Viewer, it: ConversationFacts, message: MessageFacts) =>
    isParticipant(viewer, it) && !it.blocked && message.stub === null,
  edit: (viewer: Viewer, it: ConversationFacts, message: MessageFacts, now: Date) =>
    isParticipant(viewer, it) && !it.blocked && message.stub === null && isWithinEditTime(message, now),
  /** Withdraw it for everyone. Hiding it for oneself is always possible. */
  takeBack: (viewer: Viewer, it: ConversationFacts, message: MessageFacts, now: Date) =>
    isParticipant(viewer, it) && message.stub === null && isWithinEditTime(message, now),
};

const isParticipant = (viewer: Viewer, it: ConversationFacts) =>
  isSignedIn(viewer) && it.viewerState === "accepted";
const isWithinEditTime = ({ mine, createdAt }: MessageFacts, now: Date) =>
  mine && now.getTime() - createdAt.getTime() <= LIMITS.conversation.changeMinutes * 60_000;
