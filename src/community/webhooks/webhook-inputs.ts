import { z } from "zod";
import { id, requiredText, toStorableText } from "#community/common";
import { LIMITS, WEBHOOK_EVENTS } from "#community/rules";

/** A comma-separated list in lower case, without repetitions. */
const wordList = (most: number, tooMany: string) =>
  z
    .string()
    .default("")
    .transform((typed) => [
      ...new Set(
        toStorableText(typed)
          .split(",")
          .map((it) => it.trim().replace(/^#/, "").replace(/\s+/g, " ").toLowerCase())
          .filter((it) => it !== ""),
      ),
    ])
    .pipe(z.array(z.string().max(60, "At most 60 characters.")).max(most, tooMany));

const address = z
  .string()
  .trim()
  .min(1, "Enter the address of the receiver.")
  .max(LIMITS.url, "The address is too long.")
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.port;
  }, "Enter an address that begins with https:// or http://, without a port or password.");

/** Form of an outgoing webhook. `groups` holds slugs, for webhooks of the site. */
export const WebhookForm = z.object({
  name: requiredText("The name", "Give the webhook a name that you will recognise.", LIMITS.webhooks.name),
  url: address,
  // A form in which no event is checked does not send this field.
  events: z
    .array(z.enum(WEBHOOK_EVENTS, "Unknown value."))
    .prefault([])
    .refine((events) => events.length > 0, "Choose at least one event.")
    .transform((events) => WEBHOOK_EVENTS.filter((it) => events.includes(it))),
  tags: wordList(LIMITS.webhooks.filters, "Twenty tags at most."),
  groups: wordList(LIMITS.webhooks.filters, "Twenty groups at most."),
});
export type WebhookForm = z.output<typeof WebhookForm>;

export const DeliveryId = z.object({ webhookId: id, deliveryId: id });
