import { z } from "zod";
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
  markConversationUnread,
  MessageChange,
  MessageReaction,
  ParticipantAddition,
  muteConversation,
  NewMessage,
  reactToMessage,
  removeParticipant,
  renameConversation,
  sendMessage,
  unreactToMessage,
} from "#community/conversations";
import { blockPerson } from "#community/friends";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { msg } from "#platform/messages";
import { parseForm } from "../form-parsing.ts";
import type { Notice } from "../notices/notice.ts";

const HOUR = 3_600_000;
const MUTE_LENGTHS = { hour: HOUR, evening: 8 * HOUR, week: 168 * HOUR };
/** End of a mute that lasts until the conversation is unmuted. */
const FOREVER = new Date("9999-12-31T00:00:00Z");

const ConversationInput = z.object({ conversationId: z.uuid("Unknown value.") });
const PersonInput = z.object({ personId: z.uuid("Unknown value.") });
const MessageInput = z.object({ messageId: z.uuid("Unknown value.") });
const MuteInput = ConversationInput.extend({
  span: z.enum(["hour", "evening", "week", "always"]).default("always"),
});

type ConversationCommand = (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>;

const CONVERSATION_COMMANDS: Record<string, ConversationCommand> = {
  send: (tx, viewer, form) => sendMessage(tx, viewer, parseForm(NewMessage, form)),
  edit: (tx, viewer, form) => editMessage(tx, viewer, parseForm(MessageChange, form)),
  "delete-message": (tx, viewer, form) => deleteMessage(tx, viewer, parseForm(MessageInput, form)),
  hide: (tx, viewer, form) => hideMessage(tx, viewer, parseForm(MessageInput, form)),
  react: (tx, viewer, form) => reactToMessage(tx, viewer, parseForm(MessageReaction, form)),
  unreact: (tx, viewer, form) => unreactToMessage(tx, viewer, parseForm(MessageReaction, form)),
  accept: (tx, viewer, form) => acceptConversation(tx, viewer, parseForm(ConversationInput, form)),
  delete: (tx, viewer, form) => deleteRequest(tx, viewer, parseForm(ConversationInput, form)),
  block: (tx, viewer, form) => blockPerson(tx, viewer, parseForm(PersonInput, form)),
  add: (tx, viewer, form) => addParticipants(tx, viewer, parseForm(ParticipantAddition, form)),
  remove: (tx, viewer, form) =>
    removeParticipant(tx, viewer, parseForm(ConversationInput.extend(PersonInput.shape), form)),
  rename: (tx, viewer, form) => renameConversation(tx, viewer, parseForm(ConversationName, form)),
  mute(tx, viewer, form) {
    const { conversationId, span } = parseForm(MuteInput, form);
    const until = span === "always" ? FOREVER : new Date(tx.now.getTime() + MUTE_LENGTHS[span]);
    return muteConversation(tx, viewer, { conversationId, until });
  },
  unmute: (tx, viewer, form) =>
    muteConversation(tx, viewer, { ...parseForm(ConversationInput, form), until: null }),
  archive: (tx, viewer, form) =>
    archiveConversation(tx, viewer, { ...parseForm(ConversationInput, form), archived: true }),
  unarchive: (tx, viewer, form) =>
    archiveConversation(tx, viewer, { ...parseForm(ConversationInput, form), archived: false }),
  unread: (tx, viewer, form) => markConversationUnread(tx, viewer, parseForm(ConversationInput, form)),
  leave: (tx, viewer, form) => leaveConversation(tx, viewer, parseForm(ConversationInput, form)),
};

/** Runs the command of a form on the conversation page or in the inbox. Returns its intent. */
export async function runConversationCommand(tx: Tx, viewer: Viewer, form: FormData): Promise<string> {
  const intent = String(form.get("intent"));
  if (!Object.hasOwn(CONVERSATION_COMMANDS, intent)) throw new Refusal("invalid", "Unknown value.");
  await CONVERSATION_COMMANDS[intent]!(tx, viewer, form);
  return intent;
}

/** The notice after a command on a conversation, with its undo. */
export function conversationNotice(intent: string, form: FormData): Notice | undefined {
  const fields = { conversationId: String(form.get("conversationId")) };
  if (intent === "archive")
    return { message: msg("Conversation archived."), undo: { command: "unarchive-conversation", fields } };
  if (intent === "unarchive")
    return {
      message: msg("Conversation moved back to the inbox."),
      undo: { command: "archive-conversation", fields },
    };
  if (intent === "mute")
    return {
      message: msg("Conversation muted."),
      undo: { command: "mute-conversation", fields: { ...fields, until: "" } },
    };
  if (intent === "unmute") return { message: msg("Conversation unmuted.") };
  if (intent === "leave") return { message: msg("You left the conversation.") };
  return undefined;
}

/** Intents after which the viewer leaves the conversation page. */
export const LEAVING_INTENTS = new Set(["delete", "block", "leave", "archive", "unread"]);
