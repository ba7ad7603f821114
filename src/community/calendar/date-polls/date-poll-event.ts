import { maybeOne, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import type { PendingResult } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { datePollRules, type Viewer } from "#community/rules";
import { createEventOrAwaitApproval } from "../event-commands.ts";
import { NewEvent } from "../event-inputs.ts";
import { toFormTimes } from "../event-times.ts";
import { getDatePollToManage } from "./date-poll-commands.ts";
import type { ChosenTime } from "./date-poll-inputs.ts";

/**
 * Creates an event from one time of a date poll. The answer `yes` becomes `going`, and `if_need_be` becomes
 * `maybe`. A repeated submission returns the same event.
 * @throws like `createEventOrAwaitApproval`, `not-found` for an unknown time, `not-allowed` for people who
 * may not manage the poll, `conflict` for another time of a decided poll and for a time that has passed
 */
export async function createEventFromPoll(
  tx: Tx,
  viewer: Viewer,
  { timeId, ...details }: z.output<typeof ChosenTime>,
): Promise<{ id: string } | PendingResult> {
  const me = requireSignedIn(viewer);
  const chosen = await maybeOne(
    tx,
    sql<{ pollId: string }>`select poll_id as "pollId" from date_poll_times where id = ${timeId}`,
  );
  if (!chosen) throw notFound();
  const poll = await getDatePollToManage(tx, me, chosen.pollId);
  const time = poll.times.find(({ id }) => id === timeId)!;
  if (poll.eventId !== null && time.isChosen) return { id: poll.eventId };
  if (poll.isDecided) throw new Refusal("conflict", "The date of this event has been chosen already.");
  if (time.endsAt <= tx.now || !datePollRules.decide(me, poll, tx.now))
    throw new Refusal("conflict", "This time has passed. Choose another one.");
  const { starts, ends } = toFormTimes({ ...poll, ...time, answersUntil: null });
  const { timeZone, allDay, group } = poll;
  const input = NewEvent.parse({ ...details, groupId: group.id, starts, ends, timeZone, allDay });
  return createEventOrAwaitApproval(tx, me, input, time);
}
