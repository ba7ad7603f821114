import { z } from "zod";
import { moment } from "../fields.ts";

// What somebody wants to be told of, as fields of a user.

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: "is no time such as 22:00" });
const day = z.int().min(1).max(7);

export const notifiedFields = {
  mailLevel: z.enum(["important", "everything", "nothing"]).default("important"),
  /** Mail that somebody has ended by the link in it: about a place, or of a kind. */
  mailStops: z
    .array(z.object({ scope: z.string().min(1).max(60), at: moment }))
    .max(10_000)
    .default([]),
  /** What was chosen for single kinds of notifications. */
  choices: z
    .array(z.object({ kind: z.string().min(1).max(60), shown: z.boolean(), mailed: z.boolean(), pushed: z.boolean() }))
    .max(200)
    .default([]),
  /** When mail and push wait, how often there is a digest, and whose doings stand apart. */
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
