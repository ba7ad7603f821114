export {
  blockersOfAny,
  conversationsOf,
  conversationWith,
  inboxRowOf,
  knownIn,
  latestConversations,
  nextUnreadConversation,
  readIn,
  readsUpTo,
  unreadConversationIds,
  unreadConversations,
} from "./inbox.ts";
export type { ConversationRow, InboxRow, InboxTab } from "./inbox.ts";
export { conversationFor } from "./conversation.ts";
export type { Conversation, ConversationLine } from "./conversation.ts";
export { recipientsFor } from "./reaching.ts";
export type { Recipient } from "./reaching.ts";
export { findMessages } from "./finding.ts";
export type { FoundMessage } from "./finding.ts";
export { addMessagePicture, messageFileFor, messagePreview } from "./pictures.ts";
export { sentAlongIn } from "./files.ts";
export type { SentAlong } from "./files.ts";
export { requestCards } from "./requests.ts";
export type { RequestCard } from "./requests.ts";
export { hiddenFrom, messagesOf, stubFor } from "./messages.ts";
export type { MessagesPage, MessageView } from "./messages.ts";
export { deleteMessage, editMessage, hideMessage, messageSource, reactToMessage, unreactToMessage } from "./changing.ts";
export { ConversationName, MessageChange, MessageReaction, MorePeople, NewConversation, NewMessage } from "./forms.ts";
export { addPeople, leaveConversation, removeFromConversation, renameConversation } from "./members.ts";
export { sendMessage, startConversation } from "./writing.ts";
export {
  acceptConversation,
  archiveConversation,
  deleteRequest,
  markConversationRead,
  markConversationUnread,
  muteConversation,
} from "./keeping.ts";
