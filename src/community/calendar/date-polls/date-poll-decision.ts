import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";
import { joinAnswerer } from "./date-poll-columns.ts";

type Decision = {
  timeId: string;
  eventId: string;
  occurrenceId: string;
  groupId: string;
  capacity: number | null;
};

/**
 * Closes a poll after an event was created from one of its times, and turns the answers to this time into
 * answers to the event: `yes` into `going`, or `waiting` once all places are taken, in the order of the
 * answers, and `if_need_be` into `maybe`. Does nothing if the poll was deleted or decided meanwhile.
 */
export async function decideDatePoll(tx: Tx, me: SignedIn, decision: Decision): Promise<void> {
  const { timeId, eventId, groupId } = decision;
  const poll = await maybeOne(
    tx,
    sql<{ id: string }>`
      select id from date_polls dp where group_id = ${groupId}
        and id = (select poll_id from date_poll_times where id = ${timeId})
        and not exists (select from date_poll_times t where t.poll_id = dp.id and t.event_id is not null)
      for no key update`,
  );
  if (!poll) return;
  await run(tx, sql`update date_poll_times set event_id = ${eventId} where id = ${timeId}`);
  await run(
    tx,
    sql`update date_polls set closed_at = coalesce(closed_at, ${tx.now}),
          closed_by = coalesce(closed_by, ${me.id}) where id = ${poll.id}`,
  );
  await insertAttendances(tx, decision);
  await emit(tx, { type: "calendar.poll-closed", datePollId: poll.id, groupId, by: me.id });
}

const insertAttendances = (tx: Tx, { timeId, occurrenceId, capacity }: Decision) =>
  run(
    tx,
    sql`insert into attendances (occurrence_id, person_id, answer, waiting_number, answered_at)
        select ${occurrenceId}, it.person_id,
          case when it.answer = 'if_need_be' then 'maybe' when it.excess > 0 then 'waiting' else 'going' end,
          case when it.answer = 'yes' and it.excess > 0 then it.excess end, ${tx.now}
        from (
          select a.person_id, a.answer,
            (row_number() over (partition by a.answer order by a.answered_at, a.person_id)
              - ${capacity}::int)::int as excess
          from date_poll_answers a join date_poll_times t on t.id = a.time_id
          join date_polls dp on dp.id = t.poll_id ${joinAnswerer}
          where a.time_id = ${timeId} and a.answer <> 'no') it`,
  );
