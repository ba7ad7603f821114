import { addMilliseconds, DAY } from "#platform/clock";
import { msg } from "#platform/messages";
import { invalid } from "#platform/refusal";
import { LIMITS } from "#community/rules";
import type { EventTimesInput } from "./event-inputs.ts";

const NO_SUCH_DAY = { text: "This day does not exist. Choose another." };
const NO_SUCH_TIME = {
  text: "This time does not exist on that day, because clocks are set forward. Choose another.",
};

export type EventTimes = { startsAt: Date; endsAt: Date; answersUntil: Date | null };

/**
 * Converts the times typed in a form to moments.
 * @throws `invalid` on the field of a time that does not exist, an end that is not after the start or has
 * passed, and an event that lasts too long or is too far ahead
 */
export function resolveEventTimes(input: EventTimesInput, now: Date): EventTimes {
  const startsAt = input.allDay
    ? resolveDay("starts", input.starts, input)
    : resolveMoment("starts", input.starts, input);
  const endsAt = input.allDay
    ? resolveDay("ends", input.ends, input, 1)
    : resolveMoment("ends", input.ends, input);
  if (endsAt <= startsAt) throw invalid("ends", "The event has to end after it starts.");
  if (endsAt <= now) throw invalid("ends", "This time has passed. Choose a later one.");
  if (endsAt > addMilliseconds(startsAt, LIMITS.event.days * DAY))
    throw invalid("ends", msg("An event can last {days} days at most.", { days: LIMITS.event.days }));
  assertNotTooFarAhead("starts", startsAt, now);
  const answersUntil =
    input.answersUntil === null ? null : resolveMoment("answersUntil", input.answersUntil, input);
  if (answersUntil && answersUntil > endsAt)
    throw invalid("answersUntil", "The deadline for answers has to be before the end of the event.");
  return { startsAt, endsAt, answersUntil };
}

/** Times of an event as its form shows them: the inverse of `resolveEventTimes`. */
export function toFormTimes({
  startsAt,
  endsAt,
  answersUntil,
  allDay,
  timeZone,
}: EventTimes & { allDay: boolean; timeZone: string }) {
  const local = (moment: Date) =>
    Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime();
  const write = (it: Temporal.PlainDateTime) => it.toString({ smallestUnit: "minute" });
  return {
    starts: write(local(startsAt)),
    ends: write(allDay ? local(endsAt).subtract({ days: 1 }) : local(endsAt)),
    answersUntil: answersUntil && write(local(answersUntil)),
  };
}

/** @throws `invalid` on the field of a time that is too far ahead */
export function assertNotTooFarAhead(field: string, at: Date, now: Date): void {
  if (at > addMilliseconds(now, LIMITS.event.ahead * DAY))
    throw invalid(field, "Choose a day within the next three years.");
}

type Zone = Pick<EventTimesInput, "timeZone">;

/**
 * The moment of a typed time. When clocks are set back, a time exists twice; the first is used.
 * @throws `invalid` on the field of a time that does not exist
 */
export function resolveMoment(field: string, typed: string, { timeZone }: Zone): Date {
  const local = parseLocal(field, () => Temporal.PlainDateTime.from(typed));
  const zoned = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (!zoned.toPlainDateTime().equals(local)) throw invalid(field, NO_SUCH_TIME.text);
  return new Date(zoned.epochMilliseconds);
}

/**
 * The moment at which a typed day begins, or a day after it.
 * @throws `invalid` on the field of a day that does not exist
 */
export function resolveDay(field: string, typed: string, { timeZone }: Zone, daysLater = 0): Date {
  const day = parseLocal(field, () => Temporal.PlainDate.from(typed.slice(0, "2026-01-01".length)));
  const zoned = day.add({ days: daysLater }).toZonedDateTime(timeZone);
  return new Date(zoned.epochMilliseconds);
}

function parseLocal<Parsed>(field: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw invalid(field, NO_SUCH_DAY.text);
    throw error;
  }
}
