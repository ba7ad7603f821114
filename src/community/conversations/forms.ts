import { z } from "zod";
import { clientId, draftVersion, id, neededText, optionalText, storable } from "#community/common";
import { LIMITS } from "#community/rules";

const body = neededText("The message", "There is nothing to send yet: write something first.", LIMITS.message);
const name = optionalText("The name", LIMITS.conversation.name);

/** Usernames: a list, or one text with commas or spaces. The limit is checked when they are looked up. */
const to = z
  .union([z.string().max(4_000), z.array(z.string()).max(100)])
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given))
  .transform((given) => [
    ...new Set(given.map((each) => storable(each).trim().replace(/^@/, "").toLowerCase()).filter((each) => each !== "")),
  ])
  .pipe(
    z
      .array(z.string().max(50, "That is no user name."))
      .min(1, "Say who it is for.")
      .max(2 * LIMITS.conversation.people, `A conversation holds ${LIMITS.conversation.people} people at most.`),
  );

/** HTML forms submit an empty string for an unset field. */
const optionalId = z.preprocess((given) => (given === "" ? undefined : given), id.optional());

export const NewConversation = z.object({ to, name, body, clientId, draftVersion });
export const NewMessage = z.object({ conversationId: id, body, clientId, draftVersion, replyTo: optionalId });
export const MessageChange = z.object({ messageId: id, body });
export const MessageReaction = z.object({
  messageId: id,
  emoji: z
    .string()
    .max(16)
    .regex(/^\p{RGI_Emoji}$/v, "A reaction is one emoji."),
});
export const MorePeople = z.object({ conversationId: id, to });
export const ConversationName = z.object({ conversationId: id, name });
