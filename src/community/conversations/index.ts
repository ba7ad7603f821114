export {
  allBlockerIds,
  listConversations,
  findConversationWith,
  toConversationRow,
  isNotBlockingViewer,
  latestConversationRows,
  findNextUnreadConversation,
  isNotBlockedEitherWay,
  readableUpTo,
  unreadConversationIds,
  countUnreadConversations,
} from "./inbox.ts";
export type { ConversationRow, InboxRow, InboxTab } from "./inbox.ts";
export { getConversation } from "./conversation.ts";
export type { Conversation, ConversationEntry } from "./conversation.ts";
export { suggestRecipients } from "./reaching.ts";
export type { Recipient } from "./reaching.ts";
export { searchMessages } from "./finding.ts";
export type { FoundMessage } from "./finding.ts";
export { addMessagePicture, getMessageFile, previewMessage } from "./pictures.ts";
export { listSharedFiles } from "./files.ts";
export type { SharedFile } from "./files.ts";
export { listRequestCards } from "./requests.ts";
export type { RequestCard } from "./requests.ts";
export { isHiddenFrom, getMessagesPage, stubColumn } from "./messages.ts";
export type { MessagesPage, MessageView } from "./messages.ts";
export { deleteMessage, editMessage, hideMessage, getMessageSource, reactToMessage, unreactToMessage } from "./changing.ts";
export { ConversationName, MessageChange, MessageReaction, ParticipantAddition, NewConversation, NewMessage } from "./forms.ts";
export { addParticipants, leaveConversation, removeParticipant, renameConversation } from "./members.ts";
export { sendMessage, startConversation } from "./writing.ts";
export {
  acceptConversation,
  archiveConversation,
  deleteRequest,
  markConversationRead,
  markConversationUnread,
  muteConversation,
} from "./keeping.ts";
