import { z } from "zod";
import { id } from "#community/common";
import {
  acceptConversation,
  addParticipants,
  archiveConversation,
  ConversationName,
  deleteMessage,
  deleteRequest,
  editMessage,
  hideMessage,
  leaveConversation,
  markConversationRead,
  markConversationUnread,
  MessageChange,
  MessageReaction,
  ParticipantAddition,
  muteConversation,
  NewConversation,
  NewMessage,
  reactToMessage,
  removeParticipant,
  renameConversation,
  sendMessage,
  startConversation,
  unreactToMessage,
} from "#community/conversations";
import { NewReport, reportMessages, ReportResolution, resolveCase } from "#community/moderation";
import {
  ConversationRef,
  MessageRef,
  defineSimpleService,
  ReadPositionInput,
  MuteInput,
} from "./define-service.ts";

export const conversationServices = [
  defineSimpleService(
    "Conversations/start",
    "Starts a conversation with one person or several; `to` are usernames.",
    NewConversation,
    startConversation,
  ),
  defineSimpleService(
    "Conversations/accept",
    "Accepts a message request.",
    ConversationRef,
    acceptConversation,
  ),
  defineSimpleService(
    "Conversations/deleteRequest",
    "Deletes a message request; the sender is not notified.",
    ConversationRef,
    deleteRequest,
  ),
  defineSimpleService(
    "Conversations/markRead",
    "Sets the read position.",
    ReadPositionInput,
    markConversationRead,
  ),
  defineSimpleService(
    "Conversations/markUnread",
    "Marks the latest message of others as unread.",
    ConversationRef,
    markConversationUnread,
  ),
  defineSimpleService(
    "Conversations/archive",
    "Archives or unarchives a conversation.",
    ConversationRef.extend({ archived: z.boolean() }),
    archiveConversation,
  ),
  defineSimpleService(
    "Conversations/mute",
    "Mutes a conversation until a time; null unmutes it.",
    MuteInput,
    muteConversation,
  ),
  defineSimpleService(
    "Conversations/addParticipants",
    "Adds people by username.",
    ParticipantAddition,
    addParticipants,
  ),
  defineSimpleService(
    "Conversations/removeParticipant",
    "Removes a participant.",
    ConversationRef.extend({ personId: id }),
    removeParticipant,
  ),
  defineSimpleService(
    "Conversations/rename",
    "Sets or removes the name.",
    ConversationName,
    renameConversation,
  ),
  defineSimpleService(
    "Conversations/leave",
    "Leaves a group conversation; no one is notified.",
    ConversationRef,
    leaveConversation,
  ),
  defineSimpleService(
    "Conversations/report",
    "Reports messages to staff, with a reason.",
    NewReport,
    reportMessages,
  ),
  defineSimpleService(
    "Messages/send",
    "Sends a message. Replying to a request accepts it.",
    NewMessage,
    sendMessage,
  ),
  defineSimpleService(
    "Messages/edit",
    "Edits your own message within ten minutes.",
    MessageChange,
    editMessage,
  ),
  defineSimpleService(
    "Messages/delete",
    "Deletes your own message for everyone, within ten minutes.",
    MessageRef,
    deleteMessage,
  ),
  defineSimpleService("Messages/hide", "Hides a message for yourself.", MessageRef, hideMessage),
  defineSimpleService("Messages/react", "Adds a reaction.", MessageReaction, reactToMessage),
  defineSimpleService("Messages/unreact", "Removes your reaction.", MessageReaction, unreactToMessage),
  defineSimpleService(
    "Reports/resolve",
    "Resolves the case of a report, with all its pending reports. `removed` removes the post or " +
      "resource, for `reason`; for an appeal, `restored` restores it.",
    ReportResolution,
    (tx, viewer, { reportId, ...decision }) => resolveCase(tx, viewer, { ...decision, caseId: reportId }),
  ),
];
