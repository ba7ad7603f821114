import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { z } from "zod";
import type { SignedIn } from "#community/rules";
import { decideDatePoll } from "./date-polls/date-poll-decision.ts";
import type { NewEvent } from "./event-inputs.ts";
import { insertHosts } from "./hosts/host-changes.ts";

export type EventDetails = Pick<
  z.output<typeof NewEvent>,
  "timeZone" | "allDay" | "place" | "onlineUrl" | "capacity" | "companions"
>;

/** Values of an event row. Times of a pending event are strings. */
type EventRow = EventDetails & {
  title: string;
  groupId: string;
  postId: string;
  timeId?: string | undefined;
  /** Ids of the hosts beside the author. */
  hostIds: string[];
} & Record<"startsAt" | "endsAt", Date | string> & { answersUntil: Date | string | null };

/** Stores an event that does not repeat. */
export async function insertEvent(tx: Tx, me: SignedIn, it: EventRow): Promise<{ id: string }> {
  const [id, occurrenceId] = [tx.newId(), tx.newId()];
  await run(
    tx,
    sql`with event as (
          insert into calendar_events (id, group_id, host_id, post_id, title, time_zone, all_day, ends_at,
            place, online_url, capacity, companions, answers_until, created_at)
          values (${id}, ${it.groupId}, ${me.id}, ${it.postId}, ${it.title}, ${it.timeZone}, ${it.allDay},
            ${it.endsAt}, ${it.place}, ${it.onlineUrl}, ${it.capacity}, ${it.companions},
            ${it.answersUntil}, ${tx.now}))
        insert into calendar_occurrences (id, event_id, starts_at, ends_at)
        values (${occurrenceId}, ${id}, ${it.startsAt}, ${it.endsAt})`,
  );
  if (it.timeId) await decideDatePoll(tx, me, { ...it, eventId: id, occurrenceId, timeId: it.timeId });
  await emit(tx, { type: "calendar.created", eventId: id, groupId: it.groupId, by: me.id });
  await insertHosts(tx, me, { eventId: id, seriesId: null, groupId: it.groupId }, it.hostIds);
  return { id };
}
