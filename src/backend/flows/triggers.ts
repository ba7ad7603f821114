import { z } from "zod";
import { nextAfter, readSchedule } from "#backend/extensions";
import { clause, having, neededText, oneOf, seconds } from "./schemas.ts";

export const triggerName = neededText("The name", "Give the trigger a name.", 100);
/** False: the trigger only wakes runs that wait for it. */
const starts = z.boolean("This is true or false.").default(true);

export const EVENTS = ["created", "updated", "deleted", "bulk-created", "bulk-updated", "bulk-deleted"] as const;
export type Event = (typeof EVENTS)[number];

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
  .max(100, "Write minute, hour, day, month and weekday.")
  .superRefine((it, context) => {
    const fault = cronFault(it);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });

const Event = z.enum(EVENTS, oneOf(EVENTS));
export const Trigger = z.discriminatedUnion(
  "kind",
  [
    having({ kind: z.literal("call"), name: triggerName, starts }),
    having({
      kind: z.literal("table"),
      name: triggerName,
      starts,
      table: neededText("The name of the table", "Name the table.", 64),
      events: z.array(Event, "This is a list of events.").min(1, "Choose one event at least.").default(["created"]),
      where: clause.optional(),
    }),
    having({
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
    having({
      kind: z.literal("channel"),
      name: triggerName,
      starts,
      channel: neededText("The name of the channel", "Name the channel.", 100),
      selector: clause.optional(),
    }),
  ],
  oneOf(["call", "table", "schedule", "channel"]),
);
export type Trigger = z.output<typeof Trigger>;
