import { z } from "zod";
import { clientId, draftVersion, id, requiredText, optionalText, usernames } from "#community/common";
import { LIMITS } from "#community/rules";

const messageBody = requiredText("The message", "Write something first.", LIMITS.message);
const conversationName = optionalText("The name", LIMITS.conversation.name);

/** Usernames of recipients. Their number is checked when the people are looked up. */
const recipients = usernames.pipe(
  z
    .array(z.string())
    .min(1, "Add a recipient.")
    .max(2 * LIMITS.conversation.people, "A conversation can have at most {count, number} people."),
);

/** HTML forms submit an empty string for an unset field. */
const optionalId = z.preprocess((given) => (given === "" ? undefined : given), id.optional());

export const NewConversation = z.object({
  to: recipients,
  name: conversationName,
  body: messageBody,
  clientId,
  draftVersion,
});
export const NewMessage = z.object({
  conversationId: id,
  body: messageBody,
  clientId,
  draftVersion,
  replyTo: optionalId,
});
export const MessageChange = z.object({ messageId: id, body: messageBody });
export const MessageReaction = z.object({
  messageId: id,
  emoji: z
    .string()
    .max(16)
    .regex(/^\p{RGI_Emoji}$/v, "A reaction is one emoji."),
});
export const ParticipantAddition = z.object({ conversationId: id, to: recipients });
export const ConversationName = z.object({ conversationId: id, name: conversationName });
