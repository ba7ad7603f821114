import { run, sql, type Tx } from "#platform/database";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { checkEdit } from "../editable-event.ts";
import { storeEdit } from "../single-event-edit.ts";
import { emitForSeries, firstDate, getSeriesToChange, type SeriesChange } from "./series-changes.ts";
import { endSeriesBefore, removeDates } from "./series-dates.ts";

/**
 * Ends a series with the edited event, which no longer repeats: later dates, or all others that have not ended,
 * are deleted, or cancelled if anybody answered. Earlier dates keep the series.
 * @throws like `editEvent`
 */
export async function endSeries(tx: Tx, viewer: Viewer, uncheckedInput: SeriesChange): Promise<void> {
  const me = requireSignedIn(viewer);
  const { event, series, rows } = await getSeriesToChange(tx, me, uncheckedInput.eventId);
  const checked = await checkEdit(tx, me, event, uncheckedInput);
  const from = firstDate(rows, event, uncheckedInput.scope);
  const removed = rows.filter(({ isOpen, date, eventId }) => isOpen && date >= from && eventId !== event.id);
  await run(tx, sql`update calendar_events set series_id = null, series_date = null where id = ${event.id}`);
  await endSeriesBefore(tx, series.id, from);
  const { isAnyCancelled } = await removeDates(tx, me, removed, event.group.id);
  await run(
    tx,
    sql`delete from event_series s where s.id = ${series.id}
          and not exists (select from calendar_events e where e.series_id = s.id)`,
  );
  await storeEdit(tx, me, event, checked, { repeats: false });
  if (isAnyCancelled)
    await emitForSeries(tx, me, event, { type: "calendar.series-cancelled", seriesId: series.id });
}
