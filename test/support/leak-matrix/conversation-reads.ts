import {
  getConversation,
  listConversations,
  findConversationWith,
  searchMessages,
  getMessageFile,
  previewMessage,
  getMessagesPage,
  getMessageSource,
  findNextUnreadConversation,
  suggestRecipients,
  listRequestCards,
  listSharedFiles,
  countUnreadConversations,
} from "#community/conversations";
import { getFile } from "#community/resources";
import { PRIVATE_WORD } from "./marker-words.ts";
import { BLOCKED_NAME, type Reads } from "./leak-context.ts";

export const conversationReads: Reads = {
  inbox: (db, viewer) => listConversations(db, viewer, { tab: "all" }),
  "whom to write to": (db, viewer) => suggestRecipients(db, viewer, BLOCKED_NAME),
  "inbox, requests": (db, viewer) => listConversations(db, viewer, { tab: "requests" }),
  conversation: (db, viewer, at) => getConversation(db, viewer, at.conversationId),
  messages: async (db, viewer, at) =>
    getMessagesPage(db, viewer, await getConversation(db, viewer, at.conversationId)),
  "picture in a message": async (db, viewer, at) =>
    (await getMessageFile(db, viewer, at.privatePictureId)).size === 78 ? PRIVATE_WORD : null,
  "picture in a message, as a file": async (db, viewer, at) =>
    (await getFile(db, viewer, at.privatePictureId)).size === 78 ? PRIVATE_WORD : null,
  "what was sent along": async (db, viewer, at) =>
    (
      await listSharedFiles(db, viewer, await getConversation(db, viewer, at.conversationId), {
        what: "pictures",
      })
    ).rows.map(({ id }) => (id === at.privatePictureId ? PRIVATE_WORD : null)),
  "messages by word": (db, viewer) => searchMessages(db, viewer, { search: PRIVATE_WORD.slice(0, 6) }),
  "messages by word, in one": (db, viewer, at) =>
    searchMessages(db, viewer, { search: PRIVATE_WORD, conversationId: at.conversationId }),
  "cards of requests": (db, viewer) => listRequestCards(db, viewer),
  "message, looked at before it is sent": (db, viewer, at) =>
    previewMessage(db, viewer, { conversationId: at.conversationId, body: "Is it there?" }),
  "message, to be changed": (db, viewer, at) => getMessageSource(db, viewer, at.messageId),
  "messages by id alone": async (db, viewer, at) => findConversationWith(db, viewer, at.conversationId),
  "the next unread conversation": async (db, viewer, at) =>
    (await findNextUnreadConversation(db, viewer))?.id === at.conversationId && PRIVATE_WORD,
  "unread conversations": (db, viewer) => countUnreadConversations(db, viewer),
};
