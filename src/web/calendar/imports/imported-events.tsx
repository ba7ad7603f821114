import { useTranslate } from "../../i18n/index.ts";
import { useEventTimes } from "../event-times.ts";

type Entry = {
  uid: string;
  title: string;
  place: string;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  timeZone: string;
};
/** An event with its first date and the number of its dates. */
type EventRow = Entry & { dates: number };
/** The first events of an import; `count` is the number of all their dates. */
export type EventGroup = { count: number; events: number; rows: EventRow[] };

/** Events that the preview lists. */
const MAX_ROWS = 200;

/** Groups the dates of repeating events. */
export function groupByEvent(entries: Entry[]): EventGroup {
  const rows = new Map<string, EventRow>();
  for (const { uid, title, place, startsAt, endsAt, allDay, timeZone } of entries) {
    const row = rows.get(uid);
    if (row) row.dates += 1;
    else rows.set(uid, { uid, title, place, startsAt, endsAt, allDay, timeZone, dates: 1 });
  }
  const sorted = [...rows.values()].sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  return { count: entries.length, events: sorted.length, rows: sorted.slice(0, MAX_ROWS) };
}

/** A list of events in the preview of an import. */
export function ImportedEvents({ title, events }: { title: string; events: EventGroup }) {
  const t = useTranslate();
  const { whenInZone } = useEventTimes();
  if (events.count === 0) return null;
  return (
    <section className="mb-6">
      <h2 className="mb-1 text-large font-semibold">
        {title} <span className="text-quiet figures">({events.events})</span>
      </h2>
      <ul>
        {events.rows.map((row) => (
          <li key={row.uid} className="border-b border-line py-2">
            <bdi className="font-semibold break-words">{row.title}</bdi>
            <span className="block text-small break-words text-quiet figures">
              {whenInZone(row)}
              {row.dates > 1 && (
                <>
                  {" "}
                  · {t("{count, plural, one {# more date} other {# more dates}}", { count: row.dates - 1 })}
                </>
              )}
              {row.place && (
                <>
                  {" · "}
                  <bdi>{row.place}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {events.events > events.rows.length && (
        <p className="mt-2 text-quiet">
          {t("{count, plural, one {and # more event} other {and # more events}}", {
            count: events.events - events.rows.length,
          })}
        </p>
      )}
    </section>
  );
}
