import { one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";
import { insertHosts } from "../hosts/host-changes.ts";
import { timesOnDate } from "./occurrence-times.ts";
import { listRuleDates, type Recurrence } from "./recurrence.ts";
import { planningEnd, type SeriesPlan, toDate } from "./series-plan.ts";
import { insertDates, insertSeries, type SeriesDetails } from "./series-rows.ts";
import { LIMITS } from "#community/rules";

/** Stores a series with the events of its dates. Returns the id of the first event. */
export async function createSeries(
  tx: Tx,
  me: SignedIn,
  { groupId, hostIds, ...details }: SeriesDetails & { groupId: string; postId: string; hostIds: string[] },
  plan: SeriesPlan,
): Promise<{ id: string }> {
  const seriesId = await insertSeries(tx, { ...details, groupId, hostId: me.id }, plan);
  const id = await insertDates(tx, { id: seriesId, times: plan.times }, plan.dates);
  await emit(tx, { type: "calendar.created", eventId: id, seriesId, groupId, by: me.id });
  await insertHosts(tx, me, { eventId: id, seriesId, groupId }, hostIds);
  return { id };
}

/** Makes a stored event, which already has the new values, the first date of a new series. */
export async function startSeries(
  tx: Tx,
  eventId: string,
  { groupId, ...details }: Omit<SeriesDetails, "onlineUrl"> & { groupId: string },
  plan: SeriesPlan,
): Promise<void> {
  const { hostId, postId, onlineUrl } = await one(
    tx,
    sql<{ hostId: string; postId: string | null; onlineUrl: string | null }>`
      select host_id as "hostId", post_id as "postId", online_url as "onlineUrl" from calendar_events
      where id = ${eventId}`,
  );
  const seriesId = await insertSeries(tx, { ...details, onlineUrl, groupId, hostId, postId }, plan);
  const [first, ...later] = plan.dates;
  await run(
    tx,
    sql`update calendar_events set series_id = ${seriesId}, series_date = ${first!.toString()}
        where id = ${eventId}`,
  );
  // A series on 29 February has no second date within the planned year.
  if (later.length === 0) return;
  const id = await insertDates(tx, { id: seriesId, times: plan.times }, later);
  await emit(tx, { type: "calendar.series-extended", eventId: id, seriesId, groupId });
}

/** A series as it is stored with a pending event until the approval. */
export type PendingSeries = {
  recurrence: Recurrence;
  starts: string;
  ends: string;
  answersUntil: string | null;
  allDay: boolean;
  timeZone: string;
  lastDay: string | null;
};

export const toPendingSeries = ({ recurrence, times, lastDay }: SeriesPlan): PendingSeries => ({
  recurrence,
  starts: times.starts.toString(),
  ends: times.ends.toString(),
  answersUntil: times.answersUntil?.toString() ?? null,
  allDay: times.allDay,
  timeZone: times.timeZone,
  lastDay: lastDay?.toString() ?? null,
});

/** Plans a pending series at its approval, with only the dates that have not ended. The plan may be empty. */
export function planPendingSeries(pending: PendingSeries, now: Date): SeriesPlan {
  const { allDay, timeZone } = pending;
  const times = {
    starts: Temporal.PlainDateTime.from(pending.starts),
    ends: Temporal.PlainDateTime.from(pending.ends),
    answersUntil: pending.answersUntil === null ? null : Temporal.PlainDateTime.from(pending.answersUntil),
    allDay,
    timeZone,
  };
  const from = times.starts.toPlainDate();
  const lastDay = pending.lastDay === null ? null : Temporal.PlainDate.from(pending.lastDay);
  const plannedUntil = lastDay ?? planningEnd(toDate(now, timeZone));
  const most = LIMITS.event.series.dates;
  const dates = listRuleDates(pending.recurrence, from, { from, until: plannedUntil, most }).filter(
    (date) => timesOnDate(times, date).endsAt > now,
  );
  return { recurrence: pending.recurrence, times, lastDay, plannedUntil, dates };
}
