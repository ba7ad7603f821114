import { z } from "zod";
import { clientId, id, optionalText, requiredText } from "#community/common";
import { LIMITS } from "#community/rules";
import { hostNames } from "./hosts/host-inputs.ts";
import { recurrenceFields } from "./series/series-inputs.ts";

const { title, place, places, companions, note } = LIMITS.event;
const LOCAL_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/;
export const localTime = z.string().regex(LOCAL_TIME, "Choose a day and a time.");
const ANSWERS = ["going", "maybe", "declined"] as const;
const webAddress = z
  .string()
  .trim()
  .max(LIMITS.url, "That address is too long.")
  .refine(
    (text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
    "An address begins with https:// or http://.",
  );
/** An empty form field means null. */
const emptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.null(), z.literal("").transform(() => null), schema]);
export const nullIfEmpty = <Schema extends z.ZodType>(schema: Schema) => emptyOr(schema).default(null);
const companionCount = z.coerce
  .number("Enter a number.")
  .int("Enter a whole number.")
  .min(0, "Enter a number.")
  .max(
    companions,
    "{count, plural, one {At most one companion.} other {At most {count, number} companions.}}",
  )
  .default(0);
const placeCount = z.coerce
  .number("Enter a number.")
  .int("Enter a whole number.")
  .min(1, "At least one place.")
  .max(places, "At most {count, number} places.");

/**
 * Times without a zone are in `timeZone`. Of an all-day event only the days count, including the last one.
 */
const timeFields = {
  starts: localTime,
  ends: localTime,
  allDay: z.union([z.boolean(), z.literal("yes").transform(() => true)]).default(false),
  timeZone: z.string().refine(isTimeZone, "Choose a time zone from the list."),
  answersUntil: nullIfEmpty(localTime),
  ...recurrenceFields,
};
const eventFields = {
  title: requiredText("The title", "Give the event a title.", title.max, title.min),
  ...timeFields,
  place: optionalText("The place", place),
  capacity: nullIfEmpty(placeCount),
  companions: companionCount,
};

/** Fields of a form from which the dates of an event follow. */
export const EventDates = z.object(timeFields);

export const NewEvent = z.object({
  ...eventFields,
  onlineUrl: nullIfEmpty(webAddress),
  groupId: id,
  /** Usernames of further hosts; the author is the first. */
  hosts: hostNames.optional(),
  /** The description, which becomes the first post of the discussion. */
  body: requiredText("The description", "Describe the event.", LIMITS.post),
  clientId,
});
/** Dates of a series that a change or cancellation concerns; `all` means those that have not ended. */
const EVENT_SCOPES = ["this", "following", "all"] as const;
const scope = z.enum(EVENT_SCOPES, "Choose which dates this applies to.").default("this");

/**
 * `changes` is the change count when the form was rendered. If `onlineUrl` is omitted, the address stays:
 * not all people who may edit an event see it. `hosts` has the usernames of all hosts; without it they stay.
 */
export const EventChange = z.object({
  ...eventFields,
  onlineUrl: emptyOr(webAddress).optional(),
  eventId: id,
  scope,
  hosts: hostNames.optional(),
  changes: z.coerce.number().int().min(0).max(1_000_000_000),
});
export const EventCancellation = z.object({
  eventId: id,
  scope,
  reason: requiredText("The reason", "Enter a reason. Everyone who answered will read it.", LIMITS.reason),
});
export const StopHosting = z.object({ eventId: id, scope });
export const EventAnswer = z.object({
  occurrenceId: id,
  answer: z.enum(ANSWERS, "Choose an answer."),
  companions: companionCount,
  note: optionalText("The note", note),
});

export const CheckIn = z.object({
  occurrenceId: id,
  personId: id,
  isPresent: z.union([z.boolean(), z.enum(["yes", "no"]).transform((it) => it === "yes")]),
});

export type EventTimesInput = Pick<
  z.output<typeof NewEvent>,
  "starts" | "ends" | "allDay" | "timeZone" | "answersUntil"
>;

/**
 * Whether a name is an IANA time zone. Offsets such as +01:00 are refused, since they have no
 * daylight-saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]\w*(\/[\w+-]+)*$/.test(name) || name.length > 60) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
