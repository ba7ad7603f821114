import { z } from "zod";
import {
  acceptConversation,
  addPeople,
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
  MorePeople,
  muteConversation,
  NewMessage,
  reactToMessage,
  removeFromConversation,
  renameConversation,
  sendMessage,
  unreactToMessage,
} from "#community/conversations";
import { block } from "#community/friends";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { parseForm } from "../forms.ts";

const HOUR = 3_600_000;
const SPANS = { hour: HOUR, evening: 8 * HOUR, week: 168 * HOUR };
/** Until it is unmuted. */
const ALWAYS = new Date("9999-12-31T00:00:00Z");

const Here = z.object({ conversationId: z.uuid("That is not something we know.") });
const Person = z.object({ personId: z.uuid("That is not something we know.") });
const Message = z.object({ messageId: z.uuid("That is not something we know.") });
const Mute = Here.extend({ span: z.enum(["hour", "evening", "week", "always"]).default("always") });

type Verb = (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>;

const VERBS: Record<string, Verb> = {
  send: (tx, viewer, form) => sendMessage(tx, viewer, parseForm(NewMessage, form)),
  edit: (tx, viewer, form) => editMessage(tx, viewer, parseForm(MessageChange, form)),
  "take-back": (tx, viewer, form) => deleteMessage(tx, viewer, parseForm(Message, form)),
  hide: (tx, viewer, form) => hideMessage(tx, viewer, parseForm(Message, form)),
  react: (tx, viewer, form) => reactToMessage(tx, viewer, parseForm(MessageReaction, form)),
  unreact: (tx, viewer, form) => unreactToMessage(tx, viewer, parseForm(MessageReaction, form)),
  accept: (tx, viewer, form) => acceptConversation(tx, viewer, parseForm(Here, form)),
  delete: (tx, viewer, form) => deleteRequest(tx, viewer, parseForm(Here, form)),
  block: (tx, viewer, form) => block(tx, viewer, parseForm(Person, form)),
  add: (tx, viewer, form) => addPeople(tx, viewer, parseForm(MorePeople, form)),
  remove: (tx, viewer, form) => removeFromConversation(tx, viewer, parseForm(Here.extend(Person.shape), form)),
  rename: (tx, viewer, form) => renameConversation(tx, viewer, parseForm(ConversationName, form)),
  mute(tx, viewer, form) {
    const { conversationId, span } = parseForm(Mute, form);
    const until = span === "always" ? ALWAYS : new Date(tx.now.getTime() + SPANS[span]);
    return muteConversation(tx, viewer, { conversationId, until });
  },
  unmute: (tx, viewer, form) => muteConversation(tx, viewer, { ...parseForm(Here, form), until: null }),
  archive: (tx, viewer, form) => archiveConversation(tx, viewer, { ...parseForm(Here, form), archived: true }),
  unarchive: (tx, viewer, form) => archiveConversation(tx, viewer, { ...parseForm(Here, form), archived: false }),
  unread: (tx, viewer, form) => markConversationUnread(tx, viewer, parseForm(Here, form)),
  leave: (tx, viewer, form) => leaveConversation(tx, viewer, parseForm(Here, form)),
};

/** Runs the command of a form on the conversation page or in the inbox. Returns its intent. */
export async function doInConversation(tx: Tx, viewer: Viewer, form: FormData): Promise<string> {
  const intent = String(form.get("intent"));
  if (!Object.hasOwn(VERBS, intent)) throw new Refusal("invalid", "That is not something we know.");
  await VERBS[intent]!(tx, viewer, form);
  return intent;
}

/** After these intents the viewer leaves the conversation page. */
export const GONE_AFTER = new Set(["delete", "block", "leave", "archive", "unread"]);
