import { z } from "zod";
import { moment } from "../record-fields.ts";

// Notification settings, as fields of a user.

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: "is not a time such as 22:00" });
const day = z.int().min(1).max(7);

export const notificationFields = {
  mailLevel: z.enum(["important", "everything", "nothing"]).default("important"),
  /** Mail that the person stopped with an unsubscribe link. `scope` is a place or a kind of mail. */
  mailStops: z
    .array(z.object({ scope: z.string().min(1).max(60), at: moment }))
    .max(10_000)
    .default([]),
  /** Choices for single notification kinds. */
  choices: z
    .array(
      z.object({
        kind: z.string().min(1).max(60),
        shown: z.boolean(),
        mailed: z.boolean(),
        pushed: z.boolean(),
      }),
    )
    .max(200)
    .default([]),
  /** Quiet hours, digest frequency and sender folder. */
  notified: z
    .object({
      quietFrom: time.nullish(),
      quietTo: time.nullish(),
      quietDays: z.array(day).max(7).default([1, 2, 3, 4, 5, 6, 7]),
      pausedUntil: moment.nullish(),
      digestEvery: z.enum(["never", "day", "week", "month"]).default("week"),
      digestDay: day.default(1),
      strangersApart: z.boolean().default(false),
      newcomersApart: z.boolean().default(false),
    })
    .nullish(),
};
