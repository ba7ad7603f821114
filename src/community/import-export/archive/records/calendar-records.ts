import { z } from "zod";
import { DAY } from "#platform/clock";
import { isTimeZone } from "#community/calendar";
import { LIMITS } from "#community/rules";
import { cleanText, headingText, id, isValidMoment, moment } from "../record-fields.ts";
import { audience } from "./people-records.ts";

const { event: EVENT } = LIMITS;

const timeZone = z.string().refine(isTimeZone, { error: "is not a time zone" });

/** Text that Temporal can parse, between 1970 and 2100. */
const temporalText = (pattern: RegExp, what: string) =>
  z
    .string()
    .max(40)
    .refine(
      (it) => pattern.test(it) && !Number.isNaN(Date.parse(`${it.slice(0, 10)}T00:00Z`)) && isInCalendar(it),
      { error: `is not ${what}` },
    );

function isInCalendar(text: string): boolean {
  try {
    const at = Temporal.PlainDateTime.from(text, { overflow: "reject" }).toZonedDateTime("UTC");
    return isValidMoment(new Date(at.epochMilliseconds));
  } catch {
    return false;
  }
}

const day = temporalText(/^\d{4}-\d\d-\d\d$/, "a day, such as 2026-12-05");
const clockTime = temporalText(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/,
  "a time without a zone, such as 2026-12-05T19:00",
);

const title = headingText(EVENT.title.max).pipe(z.string().min(1, { error: "is empty" }));

/** Properties that an event and a series have in common. */
const details = {
  title,
  timeZone,
  allDay: z.boolean().default(false),
  place: headingText(EVENT.place),
  onlineUrl: z
    .string()
    .transform(cleanText)
    .pipe(z.url({ protocol: /^https?$/ }).max(LIMITS.url))
    .nullish(),
  capacity: z.int().min(1).max(EVENT.places).nullish(),
  companions: z.int().min(0).max(EVENT.companions).default(0),
  createdAt: moment,
};

/** A series of events. Each of its dates is an `event` of its own. */
export const eventSeries = z
  .object({
    type: z.literal("event-series"),
    id,
    group: id,
    host: id,
    /** Post that describes its events. */
    post: id.nullish(),
    frequency: z.enum(["daily", "weekly", "monthly", "yearly"]),
    every: z.int().min(1).max(EVENT.series.every).default(1),
    /** Weekly series: 1 for Monday to 7 for Sunday. */
    weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
    monthDay: z.enum(["date", "weekday", "last_weekday"]).default("date"),
    lastDay: day.nullish(),
    /** Dates up to this day are in the archive as events. */
    plannedUntil: day,
    starts: clockTime,
    /** For an all-day series, the last day. */
    ends: clockTime,
    answersUntil: clockTime.nullish(),
    ...details,
  })
  .superRefine((it, context) => {
    if (Temporal.PlainDateTime.compare(it.starts, it.ends) > 0)
      context.addIssue({ code: "custom", path: ["ends"], message: "is before its start" });
    if ((it.frequency === "weekly") !== it.weekdays.length > 0)
      context.addIssue({
        code: "custom",
        path: ["weekdays"],
        message: it.frequency === "weekly" ? "is empty" : "is only for weekly series",
      });
  });

const span = { startsAt: moment, endsAt: moment };
/** A day more than the limit, because a day on which clocks are set back is longer. */
const MAX_SPAN = (EVENT.days + 1) * DAY;

function checkSpan(it: { startsAt: Date; endsAt: Date }, context: z.RefinementCtx, path: PropertyKey[] = []) {
  const length = it.endsAt.getTime() - it.startsAt.getTime();
  if (length > 0 && length <= MAX_SPAN) return;
  const message = length > 0 ? `is more than ${EVENT.days} days after its start` : "is not after its start";
  context.addIssue({ code: "custom", path: [...path, "endsAt"], message });
}

export const event = z
  .object({
    type: z.literal("event"),
    id,
    group: id,
    /** First host. */
    host: id,
    hosts: z
      .array(z.object({ user: id, createdAt: moment.optional() }))
      .max(EVENT.hosts - 1)
      .default([]),
    /** Post that describes the event: the first of its discussion. */
    post: id.nullish(),
    audience,
    /** Id of its date, which an address of the API may contain. */
    occurrence: id.nullish(),
    ...span,
    ...details,
    answersUntil: moment.nullish(),
    series: id.nullish(),
    /** Its date by the rule of the series, even when it was moved. */
    seriesDate: day.nullish(),
    /** Number of edits. */
    changes: z.int().min(0).max(1_000_000_000).default(0),
    changedAt: moment.nullish(),
    cancelledAt: moment.nullish(),
    cancelledBy: id.nullish(),
    cancelledReason: headingText(LIMITS.reason),
    postponedAt: moment.nullish(),
    postponedBy: id.nullish(),
    postponedReason: headingText(LIMITS.reason),
  })
  .superRefine((it, context) => {
    checkSpan(it, context);
    if (Boolean(it.series) !== Boolean(it.seriesDate))
      context.addIssue({ code: "custom", path: ["seriesDate"], message: "belongs to a series" });
  });

/** A person's answer to an event. */
export const attendance = z.object({
  type: z.literal("attendance"),
  event: id,
  user: id,
  answer: z.enum(["going", "maybe", "declined", "waiting"]),
  companions: z.int().min(0).max(EVENT.companions).default(0),
  note: headingText(EVENT.note),
  /** Order in the waiting list. */
  waitingNumber: z.int().min(1).max(1_000_000_000).nullish(),
  checkedInAt: moment.nullish(),
  checkedInBy: id.nullish(),
  createdAt: moment.optional(),
});

export const datePoll = z
  .object({
    type: z.literal("date-poll"),
    id,
    group: id,
    host: id,
    title,
    timeZone,
    allDay: z.boolean().default(false),
    /** Times in order; `event` is the event that was made of one. */
    times: z
      .array(z.object({ id: id.nullish(), event: id.nullish(), ...span }))
      .min(1, { error: "is empty" })
      .max(EVENT.datePoll.times.max)
      .transform((times) => times.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())),
    closesAt: moment.nullish(),
    closedAt: moment.nullish(),
    closedBy: id.nullish(),
    createdAt: moment,
  })
  .superRefine(({ times }, context) => {
    for (const [index, time] of times.entries()) {
      checkSpan(time, context, ["times", index]);
      if (index > 0 && times[index - 1]!.startsAt.getTime() === time.startsAt.getTime())
        context.addIssue({ code: "custom", path: ["times"], message: "contains a time twice" });
    }
  });

/** An answer to a time of a date poll: the time by position, from one. */
export const datePollAnswer = z.object({
  type: z.literal("date-poll-answer"),
  poll: id,
  user: id,
  time: z.int().min(1).max(EVENT.datePoll.times.max),
  answer: z.enum(["yes", "if_need_be", "no"]),
  createdAt: moment.optional(),
});
