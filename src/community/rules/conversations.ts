import { LIMITS } from "./limits.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type ConversationFacts = {
  kind: "direct" | "group";
  viewerState: "request" | "accepted" | "deleted" | "left" | null;
  /** True for a direct conversation with a block in either direction. */
  blocked: boolean;
  /** The viewer created the conversation or succeeded its creator. */
  mine: boolean;
};
export type MessageFacts = {
  mine: boolean;
  /** Stub that the viewer sees in place of the message; null if they can read it. */
  stub: string | null;
  createdAt: Date;
};

export type MessageStub = "deleted" | "blocked" | "blocked-by-viewer";
/** State of a message, and blocks between its author and the viewer. Staff have no special rights here. */
type StubFacts = { deleted: boolean; blocksViewer: boolean; viewerBlocks: boolean };

/** Permissions in conversations: only participants can read them, and staff only reported messages. */
export const conversationRules = {
  see: (viewer: Viewer, it: ConversationFacts) =>
    isSignedIn(viewer) && (it.viewerState === "accepted" || it.viewerState === "request"),
  /**
   * Number of the last message that the participant can read: the first one for a pending request. Numbers
   * start after `joinedSeq`.
   */
  readsUpTo: (
    { viewerState, joinedSeq }: Pick<ConversationFacts, "viewerState"> & { joinedSeq: number },
    lastSeq: number,
  ) => (viewerState === "request" ? Math.min(lastSeq, joinedSeq + 1) : lastSeq),
  /** Whether the viewer may write. Replying to a message request accepts it. */
  write: (viewer: Viewer, it: ConversationFacts) => conversationRules.see(viewer, it) && !it.blocked,
  /** Whether the viewer may send files. Pictures are allowed even in a first message. */
  sendFiles: (viewer: Viewer, it: ConversationFacts) =>
    conversationRules.write(viewer, it) && (viewer.trust === "established" || isStaff(viewer)),
  /** Whether the viewer receives live messages and typing; not after a block. */
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
  /** Whether the viewer may add participants and rename the conversation. */
  shape: (viewer: Viewer, it: ConversationFacts) => isParticipant(viewer, it) && it.kind === "group",
  remove: (viewer: Viewer, it: ConversationFacts) => conversationRules.shape(viewer, it) && it.mine,
  react: (viewer: Viewer, it: ConversationFacts, message: MessageFacts) =>
    isParticipant(viewer, it) && !it.blocked && message.stub === null,
  edit: (viewer: Viewer, it: ConversationFacts, message: MessageFacts, now: Date) =>
    isParticipant(viewer, it) && !it.blocked && message.stub === null && isWithinEditTime(message, now),
  /** Whether the viewer may withdraw a message for everyone. Hiding it for oneself is always possible. */
  takeBack: (viewer: Viewer, it: ConversationFacts, message: MessageFacts, now: Date) =>
    isParticipant(viewer, it) && message.stub === null && isWithinEditTime(message, now),
};

const isParticipant = (viewer: Viewer, it: ConversationFacts) =>
  isSignedIn(viewer) && it.viewerState === "accepted";
const isWithinEditTime = ({ mine, createdAt }: MessageFacts, now: Date) =>
  mine && now.getTime() - createdAt.getTime() <= LIMITS.conversation.changeMinutes * 60_000;
