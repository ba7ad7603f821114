import { z } from "zod";
import { clientId, id, neededText, optionalText } from "#community/common";
import { LIMITS } from "#community/rules";

const body = neededText("The message", "There is nothing to send yet: write something first.", LIMITS.message);

/** `to` takes user names: a list, or one text with commas or spaces. */
export const NewConversation = z.object({
  to: z
    .union([z.string(), z.array(z.string())])
    .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given))
    .transform((given) => [
      ...new Set(given.map((name) => name.replaceAll("\0", "").trim().replace(/^@/, "").toLowerCase()).filter((name) => name !== "")),
    ])
    .pipe(
      z.array(z.string().max(50, "That is no user name.")).min(1, "Say who it is for.").max(29, "A conversation holds 30 people at most."),
    ),
  name: optionalText("The name", 60),
  body,
  clientId,
});
export const NewMessage = z.object({ conversationId: id, body, clientId });
