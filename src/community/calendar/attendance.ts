import { many, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { type AttendanceAnswer, calendarRules, type SignedIn, type Viewer } from "#community/rules";
import { limitedAccountRefusal } from "#community/discussions";
import type { EventAnswer } from "./event-inputs.ts";
import type { CalendarEvent } from "./event-columns.ts";
import { getEventForUpdate } from "./event.ts";

type AnswerInput = z.output<typeof EventAnswer>;
type PlaceInput = Pick<AnswerInput, "companions"> & { answer: AttendanceAnswer };

/**
 * Stores the viewer's answer. While no place is free or others are waiting, a person who wants to go is put
 * on the waiting list. Returns the stored answer.
 * @throws `not-found` for an occurrence the viewer may not see, `not-allowed` if they may not answer,
 * `conflict` after the deadline, the end or a cancellation, `invalid` on `companions`
 */
export async function answerEvent(
  tx: Tx,
  viewer: Viewer,
  input: AnswerInput,
): Promise<{ answer: AttendanceAnswer }> {
  const me = requireSignedIn(viewer);
  const event = await getEventForUpdate(tx, me, input);
  const may = input.answer === "declined" ? calendarRules.decline : calendarRules.answer;
  if (!may(me, event, tx.now)) throw cannotAnswerRefusal(me, event, tx.now);
  if (input.companions > event.companionsAllowed) throw tooManyCompanions(event.companionsAllowed);
  const answer = input.answer === "going" ? assignPlace(event, input) : input.answer;
  // The row lock is held until the commit. Statements in one round trip shorten that time, so that more
  // people can answer per second.
  await Promise.all([
    storeAnswer(tx, me, event, { ...input, answer }),
    emit(tx, {
      type: "calendar.answered",
      eventId: event.id,
      groupId: event.group.id,
      occurrenceId: event.occurrenceId,
      answer,
      before: event.answer,
      by: me.id,
    }),
  ]);
  if (event.waiting > 0 && freesPlace(event, { ...input, answer }))
    await promoteWaitingList(tx, { ...event, groupId: event.group.id });
  return { answer };
}

/**
 * Decides between a place and the waiting list. People who have a place keep it; a newcomer gets none while
 * others are waiting.
 */
function assignPlace(event: CalendarEvent, { companions }: AnswerInput): "going" | "waiting" {
  const isGoing = event.answer === "going";
  const taken = event.going - (isGoing ? 1 + event.companions : 0);
  const free = event.capacity === null ? Infinity : event.capacity - taken;
  if (event.capacity !== null && 1 + companions > event.capacity) throw tooManyCompanions(event.capacity - 1);
  if (isGoing && companions <= event.companions) return "going";
  if (isGoing && 1 + companions > free) throw tooManyCompanions(Math.max(event.companions, free - 1));
  if (isGoing) return "going";
  return event.waiting === 0 && 1 + companions <= free ? "going" : "waiting";
}

/**
 * Whether a change of answer may free a place for the waiting list. Leaving the list counts too: the next
 * person on it may bring fewer companions.
 */
const freesPlace = (before: CalendarEvent, { answer, companions }: PlaceInput) =>
  before.answer === "waiting"
    ? answer !== "waiting" || companions !== before.companions
    : before.answer === "going" && (answer !== "going" || companions < before.companions);

const tooManyCompanions = (count: number) =>
  invalid(
    "companions",
    msg(
      "{count, plural, =0 {There is no place for companions.} one {There is a place for # companion only.} " +
        "other {There are places for # companions only.}}",
      { count },
    ),
  );

/** Stores an answer. A new waiting position, also after a change of companions, is at the end of the list. */
const storeAnswer = (
  tx: Tx,
  me: SignedIn,
  { occurrenceId }: CalendarEvent,
  { answer, companions, note }: Omit<AnswerInput, "answer"> & { answer: AttendanceAnswer },
) =>
  run(
    tx,
    sql`insert into attendances (occurrence_id, person_id, answer, companions, note, waiting_number, answered_at)
        values (${occurrenceId}, ${me.id}, ${answer}, ${answer === "declined" ? 0 : companions}, ${note},
          case when ${answer}::text = 'waiting' then (
            select coalesce(max(waiting_number), 0) + 1 from attendances
            where occurrence_id = ${occurrenceId}) end, ${tx.now})
        on conflict (occurrence_id, person_id) do update set answer = excluded.answer,
          checked_in_at = case when excluded.answer <> 'declined' then attendances.checked_in_at end,
          checked_in_by = case when excluded.answer <> 'declined' then attendances.checked_in_by end,
          companions = excluded.companions, note = excluded.note, answered_at = excluded.answered_at,
          waiting_number = case when attendances.answer = 'waiting' and excluded.answer = 'waiting'
            and excluded.companions <= attendances.companions then attendances.waiting_number
            else excluded.waiting_number end`,
  );

export type EventPlaces = Pick<CalendarEvent, "id" | "occurrenceId" | "capacity"> & { groupId: string };

/** Gives free places to the waiting list in strict order. The occurrence is locked. */
export async function promoteWaitingList(
  tx: Tx,
  { id, occurrenceId, capacity, groupId }: EventPlaces,
): Promise<void> {
  const { free } = await one(
    tx,
    sql<{ free: number | null }>`
      select ${capacity}::int - coalesce(sum(1 + companions), 0)::int as free from attendances
      where occurrence_id = ${occurrenceId} and answer = 'going'`,
  );
  if (free !== null && free <= 0) return;
  const moved = await many(
    tx,
    sql<{ personId: string }>`
      update attendances a set answer = 'going', waiting_number = null
      from (select person_id, sum(1 + companions) over (order by waiting_number) as needed
            from attendances where occurrence_id = ${occurrenceId} and answer = 'waiting') q
      where a.occurrence_id = ${occurrenceId} and a.person_id = q.person_id
        and (${free}::int is null or q.needed <= ${free}::int)
      returning a.person_id as "personId"`,
  );
  for (const { personId } of moved)
    await emit(tx, {
      type: "calendar.moved-up",
      eventId: id,
      groupId,
      occurrenceId,
      movedUpId: personId,
    });
}

function cannotAnswerRefusal(me: SignedIn, event: CalendarEvent, now: Date): Refusal {
  if (event.cancelledAt) return new Refusal("conflict", "This event was cancelled.");
  if (event.endsAt <= now && !event.postponedAt) return new Refusal("conflict", "This event is over.");
  if (event.postponedAt && calendarRules.decline(me, event, now))
    return new Refusal("conflict", "This event is postponed. You can answer when it has a new date.");
  if (calendarRules.decline(me, event, now))
    return new Refusal("conflict", "The time to answer is over. You can still decline.");
  if (me.limited) return limitedAccountRefusal();
  return new Refusal("not-allowed", "Join the group to answer.");
}
