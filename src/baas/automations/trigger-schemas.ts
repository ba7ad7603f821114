import { type Message, toIssue } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { nextOccurrence, readSchedule } from "#baas/extensions";
import {
  conditionClause,
  strictShape,
  requiredText,
  ONE_OF_MESSAGE,
  secondsSchema,
} from "./definition-schemas.ts";

export const triggerName = requiredText("The name", "Give the trigger a name.", 100);
/** Whether the trigger starts runs. If false, it only wakes runs that wait for it. */
const startsRuns = z.boolean("This must be true or false.").default(true);

/** Events of data tables. */
export const DATA_TABLE_EVENTS = [
  "created",
  "updated",
  "deleted",
  "bulk-created",
  "bulk-updated",
  "bulk-deleted",
] as const;
/** All events of tables, including those of the events in calendars. */
export const TABLE_EVENTS = [...DATA_TABLE_EVENTS, "cancelled", "answered", "tomorrow", "soon"] as const;
export type TableEvent = (typeof TABLE_EVENTS)[number];

function findCronFault(it: string): Message | null {
  try {
    nextOccurrence(readSchedule(it), new Date(0));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.descriptor;
    throw error;
  }
}
const CronText = z
  .string("Enter minute, hour, day, month and weekday.")
  .max(100, "Enter minute, hour, day, month and weekday.")
  .superRefine((it, context) => {
    const fault = findCronFault(it);
    if (fault !== null) context.addIssue(toIssue(fault));
  });

const TableEvent = z.enum(TABLE_EVENTS, ONE_OF_MESSAGE.text);
export const Trigger = z.discriminatedUnion(
  "kind",
  [
    strictShape({ kind: z.literal("call"), name: triggerName, starts: startsRuns }),
    strictShape({
      kind: z.literal("table"),
      name: triggerName,
      starts: startsRuns,
      table: requiredText("The name of the table", "Enter the table.", 64),
      events: z
        .array(TableEvent, "This must be a list of events.")
        .min(1, "Choose at least one event.")
        .default(["created"]),
      where: conditionClause.optional(),
    }),
    strictShape({
      kind: z.literal("schedule"),
      name: triggerName,
      starts: startsRuns,
      at: z.iso
        .datetime({ offset: true, error: "This must be a date and time, such as 2027-01-31T08:00:00Z." })
        .optional(),
      every: secondsSchema(10).optional(),
      cron: CronText.optional(),
    })
      .refine((it) => it.at !== undefined || it.every !== undefined || it.cron !== undefined, {
        path: ["every"],
        message: "Set a time, an interval in seconds or a cron schedule.",
      })
      .refine((it) => it.cron === undefined || (it.at === undefined && it.every === undefined), {
        path: ["cron"],
        message: "A cron schedule cannot be combined with a time or an interval.",
      }),
    strictShape({
      kind: z.literal("channel"),
      name: triggerName,
      starts: startsRuns,
      channel: requiredText("The name of the channel", "Enter a channel.", 100),
      selector: conditionClause.optional(),
    }),
  ],
  ONE_OF_MESSAGE.text,
);
export type Trigger = z.output<typeof Trigger>;
