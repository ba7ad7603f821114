export {
  listConversations,
  findConversationWith,
  toConversationRow,
  latestConversationRows,
  findNextUnreadConversation,
  unreadConversationIds,
  countUnreadConversations,
} from "./inbox.ts";
export {
  allBlockerIds,
  isNotBlockingViewer,
  isNotBlockedEitherWay,
  lastReadableSeq,
} from "./conversation-columns.ts";
export type { InboxTab } from "./inbox.ts";
export type { ConversationRow, InboxRow } from "./conversation-columns.ts";
export { getConversation } from "./conversation.ts";
export type { Conversation, ConversationEntry } from "./conversation-columns.ts";
export { suggestRecipients } from "./recipients.ts";
export type { Recipient } from "./recipients.ts";
export { searchMessages } from "./message-search.ts";
export type { FoundMessage } from "./message-search.ts";
export { addMessagePicture, getMessageFile, previewMessage } from "./message-uploads.ts";
export { listSharedFiles } from "./shared-files.ts";
export type { SharedFile } from "./shared-files.ts";
export { listRequestCards } from "./request-cards.ts";
export type { RequestCard } from "./request-cards.ts";
export { getMessagesPage } from "./message-queries.ts";
export { isMessageHiddenFrom, messageStubColumn } from "./message-columns.ts";
export type { MessagesPage } from "./message-queries.ts";
export type { MessageView } from "./message-columns.ts";
export {
  deleteMessage,
  editMessage,
  hideMessage,
  getMessageSource,
  reactToMessage,
  unreactToMessage,
} from "./message-edits.ts";
export {
  ConversationName,
  MessageChange,
  MessageReaction,
  ParticipantAddition,
  NewConversation,
  NewMessage,
} from "./conversation-inputs.ts";
export { addParticipants, leaveConversation, removeParticipant, renameConversation } from "./participants.ts";
export { sendMessage, startConversation } from "./send-message.ts";
export {
  acceptConversation,
  archiveConversation,
  deleteRequest,
  markConversationRead,
  markConversationUnread,
  muteConversation,
} from "./conversation-state.ts";
