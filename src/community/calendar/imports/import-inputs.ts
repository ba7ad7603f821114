import { z } from "zod";
import { id } from "#community/common";
import { LIMITS } from "#community/rules";
import { isTimeZone } from "../event-inputs.ts";

const timeZone = z.string().refine(isTimeZone, "Choose a time zone from the list.");
const MAX_NAME = 200;

/** Fields of the form, without the file itself. */
export const NewEventImport = z.object({ groupId: id, timeZone });
export const EventImportRef = z.object({ importId: id });
export type NewEventImport = z.output<typeof NewEventImport> & { text: string; fileName: string };

/** The name of an uploaded file as it is stored. */
export const toFileName = (name: string): string =>
  name.toWellFormed().replaceAll("\u0000", "").slice(0, MAX_NAME).toWellFormed();

export const NewSubscription = z.object({
  groupId: id,
  timeZone,
  url: z
    .string()
    .trim()
    .max(LIMITS.url, "That address is too long.")
    .transform((text) => text.replace(/^webcals?:/i, "https:"))
    .refine(
      (text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
      "An address begins with webcal:// or https://.",
    )
    .transform((text) => new URL(text).href),
});
export const SubscriptionRemoval = z.object({
  subscriptionId: id,
  /** Whether its coming events are removed too. */
  removeEvents: z.union([z.boolean(), z.literal("yes").transform(() => true)]).default(false),
});
