import {
  conversationFor,
  conversationsOf,
  conversationWith,
  findMessages,
  messageFileFor,
  messagePreview,
  messagesOf,
  messageSource,
  nextUnreadConversation,
  recipientsFor,
  requestCards,
  sentAlongIn,
  unreadConversations,
} from "#community/conversations";
import { fileFor } from "#community/resources";
import { PRIVATE_WORD } from "../leaky-place.ts";
import { PARTED, type Reads } from "./house.ts";

export const conversations: Reads = {
  inbox: (db, viewer) => conversationsOf(db, viewer, { tab: "all" }),
  "whom to write to": (db, viewer) => recipientsFor(db, viewer, PARTED),
  "inbox, requests": (db, viewer) => conversationsOf(db, viewer, { tab: "requests" }),
  conversation: (db, viewer, at) => conversationFor(db, viewer, at.conversationId),
  messages: async (db, viewer, at) => messagesOf(db, viewer, await conversationFor(db, viewer, at.conversationId)),
  "picture in a message": async (db, viewer, at) =>
    (await messageFileFor(db, viewer, at.privatePictureId)).size === 78 ? PRIVATE_WORD : null,
  "picture in a message, as a file": async (db, viewer, at) =>
    (await fileFor(db, viewer, at.privatePictureId)).size === 78 ? PRIVATE_WORD : null,
  "what was sent along": async (db, viewer, at) =>
    (await sentAlongIn(db, viewer, await conversationFor(db, viewer, at.conversationId), { what: "pictures" })).rows.map(({ id }) =>
      id === at.privatePictureId ? PRIVATE_WORD : null,
    ),
  "messages by word": (db, viewer) => findMessages(db, viewer, { search: PRIVATE_WORD.slice(0, 6) }),
  "messages by word, in one": (db, viewer, at) => findMessages(db, viewer, { search: PRIVATE_WORD, conversationId: at.conversationId }),
  "cards of requests": (db, viewer) => requestCards(db, viewer),
  "message, looked at before it is sent": (db, viewer, at) =>
    messagePreview(db, viewer, { conversationId: at.conversationId, body: "Is it there?" }),
  "message, to be changed": (db, viewer, at) => messageSource(db, viewer, at.messageId),
  "messages by id alone": async (db, viewer, at) => conversationWith(db, viewer, at.conversationId),
  "the next unread conversation": async (db, viewer, at) =>
    (await nextUnreadConversation(db, viewer))?.id === at.conversationId && PRIVATE_WORD,
  "unread conversations": (db, viewer) => unreadConversations(db, viewer),
};
