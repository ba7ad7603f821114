export { conversationsOf, conversationWith, inboxRowOf, latestConversations, unreadConversationIds, unreadConversations } from "./inbox.ts";
export type { ConversationRow, InboxRow, InboxTab } from "./inbox.ts";
export { conversationFor, messagesOf } from "./conversation.ts";
export type { Conversation, MessagesPage, MessageView } from "./conversation.ts";
export { NewConversation, NewMessage } from "./forms.ts";
export { sendMessage, startConversation } from "./writing.ts";
export {
  acceptConversation,
  archiveConversation,
  deleteRequest,
  leaveConversation,
  markConversationRead,
  muteConversation,
} from "./keeping.ts";
