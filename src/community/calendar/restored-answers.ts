import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { AttendanceAnswer } from "#community/rules";
import { type EventPlaces, promoteWaitingList } from "./attendance.ts";
import { joinAttendanceFacts, mayAttend } from "./released-places.ts";

/** An answer to a future event: the row as JSON. */
export type AnswerBefore = { occurrence_id: string; person_id: string; answer: AttendanceAnswer };

/** Maximum number of answers that are stored for the undo of a ban, next events first. */
const MAX_ANSWERS = 500;

/** Reads a person's answers to future events of a group, so that the undo of a ban can restore them. */
export const readAnswersBefore = async (
  tx: Tx,
  { groupId, personId }: { groupId: string; personId: string },
): Promise<AnswerBefore[]> =>
  (
    await many(
      tx,
      sql<{ row: AnswerBefore }>`select to_jsonb(a) as row
        from attendances a join people p on p.id = a.person_id ${joinAttendanceFacts(tx, sql`a.occurrence_id`)}
        where a.person_id = ${personId} and e.group_id = ${groupId}
        order by o.starts_at, o.id ${limit(MAX_ANSWERS)}`,
    )
  ).map(({ row }) => row);

/**
 * Restores answers that a ban released. Who was going goes again where a place is free and nobody waits for it, and is
 * otherwise at the end of the waiting list; who was waiting keeps the position unless it was given away. Answers
 * that were not released, and events that have been cancelled or have ended since, stay as they are.
 */
export async function restoreAnswers(tx: Tx, before: readonly AnswerBefore[]): Promise<void> {
  for (const answer of before.toSorted((a, b) => (a.occurrence_id < b.occurrence_id ? -1 : 1))) {
    await run(tx, sql`select from calendar_occurrences where id = ${answer.occurrence_id} for no key update`);
    const places = await findPlaces(tx, answer);
    if (places) await restoreAnswer(tx, answer, places);
  }
}

/** The event, if the person may attend it and has no answer. */
const findPlaces = (tx: Tx, { occurrence_id: id, person_id: personId }: AnswerBefore) =>
  maybeOne(
    tx,
    sql<EventPlaces>`select o.id as "occurrenceId", e.id, e.group_id as "groupId", e.capacity
      from people p ${joinAttendanceFacts(tx, sql`${id}::uuid`)}
      where p.id = ${personId} and ${mayAttend}
        and not exists (select from attendances where occurrence_id = o.id and person_id = p.id)`,
  );

/** A person who had a place joins the waiting list, which then moves up as far as places are free. */
async function restoreAnswer(tx: Tx, before: AnswerBefore, places: EventPlaces): Promise<void> {
  const answer = before.answer === "going" ? "waiting" : before.answer;
  await run(
    tx,
    sql`insert into attendances (occurrence_id, person_id, answer, companions, note, waiting_number, answered_at,
          checked_in_at, checked_in_by)
        select occurrence_id, person_id, ${answer}, least(companions, ${places.capacity}::int - 1), note,
          case when ${answer}::text = 'waiting' then case
            when waiting_number is not null and not exists (select from attendances taken
              where taken.occurrence_id = row.occurrence_id and taken.waiting_number = row.waiting_number)
            then waiting_number
            else (select coalesce(max(waiting_number), 0) + 1 from attendances last
              where last.occurrence_id = row.occurrence_id) end end,
          answered_at, checked_in_at, checked_in_by
        from jsonb_populate_record(null::attendances, ${JSON.stringify(before)}::jsonb) row`,
  );
  await emit(tx, {
    type: "calendar.answered",
    eventId: places.id,
    groupId: places.groupId,
    occurrenceId: places.occurrenceId,
    answer,
    before: null,
    by: before.person_id,
  });
  await promoteWaitingList(tx, places);
}
