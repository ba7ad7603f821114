import { z } from "zod";
import { nextAfter, readSchedule } from "#backend/extensions";
import { clause, seconds, text } from "./schemas.ts";

export const triggerName = text("Give the trigger a name", 100);
/** False: it starts nothing, and wakes the runs that wait for it. */
const starts = z.boolean("This is true or false.").default(true);

export const EVENTS = ["created", "updated", "deleted", "bulk-created", "bulk-updated", "bulk-deleted"] as const;

function cronFault(it: string): string | null {
  try {
    nextAfter(readSchedule(it), new Date(0));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
const Cron = z
  .string("Write minute, hour, day, month and weekday.")
  .max(100)
  .superRefine((it, context) => {
    const fault = cronFault(it);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });

export const Trigger = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("call"), name: triggerName, starts }),
    z.strictObject({
      kind: z.literal("table"),
      name: triggerName,
      starts,
      table: text("Name the table", 64),
      events: z
        .array(z.enum(EVENTS, `An event is one of ${EVENTS.join(", ")}.`), "This is a list of events.")
        .min(1, "Choose one event at least.")
        .default(["created"]),
      where: clause.optional(),
    }),
    z
      .strictObject({
        kind: z.literal("schedule"),
        name: triggerName,
        starts,
        at: z.iso.datetime({ offset: true, error: "This is a moment, such as 2027-01-31T08:00:00Z." }).optional(),
        every: seconds(10).optional(),
        cron: Cron.optional(),
      })
      .refine((it) => it.at !== undefined || it.every !== undefined || it.cron !== undefined, {
        path: ["every"],
        message: "Say when: at a moment, every so many seconds, or by minute, hour, day, month and weekday.",
      })
      .refine((it) => it.cron === undefined || (it.at === undefined && it.every === undefined), {
        path: ["cron"],
        message: "What goes by the calendar has no other rhythm beside it.",
      }),
    z.strictObject({
      kind: z.literal("channel"),
      name: triggerName,
      starts,
      channel: text("Name the channel", 100),
      selector: clause.optional(),
    }),
  ],
  "A trigger is of the kind call, table, schedule or channel.",
);
export type Trigger = z.output<typeof Trigger>;
