import {
  acceptConversation,
  addParticipants,
  archiveConversation,
  ConversationName,
  deleteMessage,
  deleteRequest,
  editMessage,
  leaveConversation,
  markConversationRead,
  MessageChange,
  ParticipantAddition,
  muteConversation,
  NewConversation,
  NewMessage,
  removeParticipant,
  renameConversation,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { getRelationship } from "#community/friends";
import { ConversationRef, PersonRef, ReadPositionInput, MuteInput } from "../define-service.ts";
import { type RecordCommands, invalidTransition, splitId, parseInput } from "./record-commands.ts";

export const Conversations: RecordCommands = {
  create: async ({ tx, viewer }, { text, ...given }) =>
    (
      await startConversation(
        tx,
        viewer,
        parseInput(NewConversation, { ...given, name: given["name"] ?? "", body: text ?? "" }),
      )
    ).id,
  update: {
    name: ({ tx, viewer }, { objectId: conversationId }, { name }) =>
      renameConversation(tx, viewer, parseInput(ConversationName, { conversationId, name: name ?? "" })),
    archived: ({ tx, viewer }, { objectId: conversationId }, { archived }) =>
      archiveConversation(tx, viewer, { conversationId, archived: archived === true }),
    mutedUntil: ({ tx, viewer }, { objectId: conversationId }, { mutedUntil }) =>
      muteConversation(tx, viewer, parseInput(MuteInput, { conversationId, until: mutedUntil ?? null })),
    readUpTo: ({ tx, viewer }, { objectId: conversationId }, { readUpTo }) =>
      markConversationRead(tx, viewer, parseInput(ReadPositionInput, { conversationId, upTo: readUpTo })),
    standing({ tx, viewer }, { objectId: conversationId, standing }, input) {
      if (input["standing"] !== "accepted") throw invalidTransition(standing, input["standing"]);
      return acceptConversation(tx, viewer, { conversationId });
    },
  },
  remove: ({ tx, viewer }, { objectId: conversationId, standing }) =>
    standing === "request"
      ? deleteRequest(tx, viewer, { conversationId })
      : leaveConversation(tx, viewer, { conversationId }),
};

export const Participants: RecordCommands = {
  async create({ tx, viewer }, input) {
    const [{ conversationId }, { personId }] = [
      parseInput(ConversationRef, input),
      parseInput(PersonRef, input),
    ];
    const { username } = await getRelationship(tx, viewer, personId);
    await addParticipants(tx, viewer, parseInput(ParticipantAddition, { conversationId, to: [username] }));
    return `${conversationId}:${personId}`;
  },
  update: "Participants cannot be changed: change the conversation instead.",
  remove({ tx, viewer }, { objectId }) {
    const [conversationId, personId] = splitId(objectId);
    return personId === viewer.id
      ? leaveConversation(tx, viewer, { conversationId })
      : removeParticipant(tx, viewer, { conversationId, personId });
  },
};

export const Messages: RecordCommands = {
  create: async ({ tx, viewer }, { text, ...given }) =>
    (
      await sendMessage(
        tx,
        viewer,
        parseInput(NewMessage, { ...given, replyTo: given["replyTo"] ?? undefined, body: text ?? "" }),
      )
    ).id,
  update: {
    text: ({ tx, viewer }, { objectId: messageId }, { text }) =>
      editMessage(tx, viewer, parseInput(MessageChange, { messageId, body: text ?? "" })),
  },
  remove: ({ tx, viewer }, { objectId: messageId }) => deleteMessage(tx, viewer, { messageId }),
};
