import {
  acceptConversation,
  addPeople,
  archiveConversation,
  ConversationName,
  deleteMessage,
  deleteRequest,
  editMessage,
  leaveConversation,
  markConversationRead,
  MessageChange,
  MorePeople,
  muteConversation,
  NewConversation,
  NewMessage,
  removeFromConversation,
  renameConversation,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { tieTo } from "#community/friends";
import { OnConversation, Person, ReadUpTo, Silence } from "../service.ts";
import { type Acts, noWay, partsOf, read } from "./act.ts";

export const Conversations: Acts = {
  create: async ({ tx, viewer }, { text, ...given }) =>
    (await startConversation(tx, viewer, read(NewConversation, { ...given, name: given["name"] ?? "", body: text ?? "" }))).id,
  update: {
    name: ({ tx, viewer }, { objectId: conversationId }, { name }) =>
      renameConversation(tx, viewer, read(ConversationName, { conversationId, name: name ?? "" })),
    archived: ({ tx, viewer }, { objectId: conversationId }, { archived }) =>
      archiveConversation(tx, viewer, { conversationId, archived: archived === true }),
    mutedUntil: ({ tx, viewer }, { objectId: conversationId }, { mutedUntil }) =>
      muteConversation(tx, viewer, read(Silence, { conversationId, until: mutedUntil ?? null })),
    readUpTo: ({ tx, viewer }, { objectId: conversationId }, { readUpTo }) =>
      markConversationRead(tx, viewer, read(ReadUpTo, { conversationId, upTo: readUpTo })),
    standing({ tx, viewer }, { objectId: conversationId, standing }, given) {
      if (given["standing"] !== "accepted") throw noWay(standing, given["standing"]);
      return acceptConversation(tx, viewer, { conversationId });
    },
  },
  remove: ({ tx, viewer }, { objectId: conversationId, standing }) =>
    standing === "request" ? deleteRequest(tx, viewer, { conversationId }) : leaveConversation(tx, viewer, { conversationId }),
};

export const Participants: Acts = {
  async create({ tx, viewer }, given) {
    const [{ conversationId }, { personId }] = [read(OnConversation, given), read(Person, given)];
    const { username } = await tieTo(tx, viewer, personId);
    await addPeople(tx, viewer, read(MorePeople, { conversationId, to: [username] }));
    return `${conversationId}:${personId}`;
  },
  update: "Who is in a conversation decides for themselves how they are: change the conversation.",
  remove({ tx, viewer }, { objectId }) {
    const [conversationId, personId] = partsOf(objectId);
    return personId === viewer.id
      ? leaveConversation(tx, viewer, { conversationId })
      : removeFromConversation(tx, viewer, { conversationId, personId });
  },
};

export const Messages: Acts = {
  create: async ({ tx, viewer }, { text, ...given }) =>
    (await sendMessage(tx, viewer, read(NewMessage, { ...given, replyTo: given["replyTo"] ?? undefined, body: text ?? "" }))).id,
  update: {
    text: ({ tx, viewer }, { objectId: messageId }, { text }) =>
      editMessage(tx, viewer, read(MessageChange, { messageId, body: text ?? "" })),
  },
  remove: ({ tx, viewer }, { objectId: messageId }) => deleteMessage(tx, viewer, { messageId }),
};
