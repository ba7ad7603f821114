import { addMilliseconds, MINUTE } from "#platform/clock";
import { msg } from "#platform/messages";
import { invalid } from "#platform/refusal";
import type { z } from "zod";
import { LIMITS } from "#community/rules";
import { assertNotTooFarAhead, resolveDay, resolveMoment } from "../event-times.ts";
import { type NewDatePoll, readNumbered } from "./date-poll-inputs.ts";

type Input = z.output<typeof NewDatePoll>;
export type TimeSpan = { startsAt: Date; endsAt: Date };

/**
 * Converts the times typed in a form to moments, in order.
 * @throws `invalid` on the field of a time that does not exist, has passed, is too far ahead or was typed
 * twice, and on the first empty field for too few times
 */
export function resolveDatePollTimes(input: Input, now: Date): TimeSpan[] {
  const { min } = LIMITS.event.datePoll.times;
  const fields = readNumbered<"starts", string | null>(input, "starts");
  const spans = new Map<number, TimeSpan>();
  for (const { field, value } of fields) {
    if (value === null) continue;
    const span = resolveSpan(field, value, input);
    if (span.endsAt <= now) throw invalid(field, "This time has passed. Choose a later one.");
    assertNotTooFarAhead(field, span.startsAt, now);
    if (spans.has(span.startsAt.getTime())) throw invalid(field, "This time is in the list already.");
    spans.set(span.startsAt.getTime(), span);
  }
  const empty = fields.find(({ value }) => value === null);
  if (spans.size < min && empty)
    throw invalid(empty.field, msg("Add at least {count, number} possible times.", { count: min }));
  return [...spans.values()].toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

function resolveSpan(field: string, typed: string, input: Input): TimeSpan {
  if (input.length === "day")
    return { startsAt: resolveDay(field, typed, input), endsAt: resolveDay(field, typed, input, 1) };
  const startsAt = resolveMoment(field, typed, input);
  return { startsAt, endsAt: addMilliseconds(startsAt, Number(input.length) * MINUTE) };
}

/**
 * The deadline for answers.
 * @throws `invalid` for one that has passed or is after the last time
 */
export function resolveClosing(input: Input, endsAt: Date, now: Date): Date | null {
  if (input.closesAt === null) return null;
  const closesAt = resolveMoment("closesAt", input.closesAt, input);
  if (closesAt <= now) throw invalid("closesAt", "This time has passed. Choose a later one.");
  if (closesAt > endsAt)
    throw invalid("closesAt", "The deadline for answers has to be before the last of the offered times.");
  return closesAt;
}
