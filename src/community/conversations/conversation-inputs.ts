import { z } from "zod";
import { clientId, draftVersion, id, requiredText, optionalText, toStorableText } from "#community/common";
import { LIMITS } from "#community/rules";

const messageBody = requiredText("The message", "Write something first.", LIMITS.message);
const conversationName = optionalText("The name", LIMITS.conversation.name);

/**
 * Usernames, as a list or as one text with commas or spaces. Their number is checked when the people are
 * looked up.
 */
const recipients = z
  .union([z.string().max(4_000), z.array(z.string()).max(100)])
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given))
  .transform((given) => [
    ...new Set(
      given
        .map((each) => toStorableText(each).trim().replace(/^@/, "").toLowerCase())
        .filter((each) => each !== ""),
    ),
  ])
  .pipe(
    z
      .array(z.string().max(50, "That is not a valid username."))
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
