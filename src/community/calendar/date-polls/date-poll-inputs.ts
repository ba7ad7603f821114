import { z } from "zod";
import { clientId, id, requiredText } from "#community/common";
import { LIMITS } from "#community/rules";
import { createTable } from "#platform/objects";
import { isTimeZone, localTime, NewEvent, nullIfEmpty } from "../event-inputs.ts";

const { title, datePoll } = LIMITS.event;
const POSITIONS = Array.from({ length: datePoll.times.max }, (_, index) => index + 1);
/** Lengths of an event in minutes; `day` for whole days. */
export const DATE_POLL_LENGTHS = ["30", "60", "90", "120", "180", "240", "480", "day"] as const;
const ANSWERS = ["yes", "if_need_be", "no"] as const;

type Fields<Prefix extends string, Schema> = Record<`${Prefix}${number}`, Schema>;
const numbered = <Prefix extends string, Schema extends z.ZodType>(
  prefix: Prefix,
  schema: Schema,
): Fields<Prefix, Schema> =>
  createTable(
    POSITIONS.map((n) => `${prefix}${n}` as const),
    () => schema,
  );

/** The fields `starts1` to `starts20` are the times; empty ones are ignored. */
export const NewDatePoll = z.object({
  groupId: id,
  title: requiredText("The title", "Give the event a title.", title.max, title.min),
  length: z.enum(DATE_POLL_LENGTHS, "Choose a duration."),
  timeZone: z.string().refine(isTimeZone, "Choose a time zone from the list."),
  closesAt: nullIfEmpty(localTime),
  ...numbered("starts", nullIfEmpty(localTime)),
  clientId,
});

/** The fields `answer1` to `answer20` belong to the times of the poll in their order. */
export const DatePollAnswer = z.object({
  datePollId: id,
  ...numbered("answer", z.enum(ANSWERS, "Choose an answer.").optional()),
});
export const DatePollRef = z.object({ datePollId: id });

/** Details of an event that is created from one time of a poll. Group and time are taken from the poll. */
export const ChosenTime = NewEvent.pick({
  title: true,
  body: true,
  place: true,
  onlineUrl: true,
  capacity: true,
  companions: true,
  clientId: true,
}).extend({ timeId: id });

/** Values of the numbered fields in order, with the name of each field. */
export const readNumbered = <Prefix extends "starts" | "answer", Value>(
  input: Readonly<Partial<Record<`${Prefix}${number}`, Value>>>,
  prefix: Prefix,
) => POSITIONS.map((n) => ({ field: `${prefix}${n}`, value: input[`${prefix}${n}`] ?? null }));
