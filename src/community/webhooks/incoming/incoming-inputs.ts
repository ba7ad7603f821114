import { z } from "zod";
import { id, requiredText } from "#community/common";
import { LIMITS } from "#community/rules";

/** Id in the address of a discussion, or the id alone. */
const DISCUSSION_ID =
  /(?:^|\/discussions\/)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[/?#]|$)/i;

/** Form of an incoming webhook. Without `discussion`, each message starts a discussion. */
export const IncomingWebhookForm = z.object({
  name: requiredText("The name", "Give the webhook a name that you will recognise.", LIMITS.webhooks.name),
  botId: id.catch("").refine((it) => it !== "", "Choose one of the bots."),
  discussion: z
    .string()
    .max(LIMITS.url, "The address is too long.")
    .default("")
    .transform((typed, context) => {
      const address = typed.trim();
      if (address === "") return null;
      const found = DISCUSSION_ID.exec(address)?.[1];
      if (!found)
        context.addIssue({ code: "custom", message: "Enter the address of a discussion of this group." });
      return found?.toLowerCase() ?? null;
    }),
});
export type IncomingWebhookForm = z.output<typeof IncomingWebhookForm>;

/** Message of an incoming webhook, as Markdown. Without `title`, a new discussion is named after the text. */
export const IncomingMessage = z.object({
  text: requiredText("The text", "Write something first.", LIMITS.post),
  title: z.string().max(1_000, "At most 1000 characters.").optional(),
});
export type IncomingMessage = z.output<typeof IncomingMessage>;
