import { Link } from "../../ui/navigation/link.tsx";
import { useTranslate } from "../../i18n/index.ts";
import { useDayText, useEventTimes } from "../event-times.ts";
import { urls } from "../../urls.ts";
import { ButtonLink } from "../../ui/index.ts";
import type { MonthData } from "./event-list-data.ts";
import type { EventListProps } from "./event-list.tsx";
import { EventRow } from "./event-row.tsx";
import { useGridKeys } from "./use-grid-keys.ts";

/** Maximum number of events in one day's cell; the list of that day shows all. */
const EVENTS_PER_DAY = 3;

/** A month as a table. On phones, only days with events are marked, and a list of events follows. */
export function MonthGrid({ list, to, named }: EventListProps & { list: MonthData }) {
  const t = useTranslate();
  const dayText = useDayText();
  const { month, before, after, weeks, rows, today, hasMore } = list;
  const name = dayText(`${month}-01`, { month: "long", year: "numeric" });
  const { tabIndex, ...keys } = useGridKeys(month, today);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-serif text-large font-semibold">{name}</h2>
        <nav aria-label={t("Months")} className="flex flex-wrap gap-1 print:hidden">
          <ButtonLink
            to={to({ view: "month", month: before })}
            rel="prev"
            preventScrollReset
            aria-label={t("Previous month")}
          >
            <i className="icon icon-chevron-left size-4 rtl:-scale-x-100" />
          </ButtonLink>
          <ButtonLink to={to({ view: "month" })} preventScrollReset>
            {t("Today")}
          </ButtonLink>
          <ButtonLink
            to={to({ view: "month", month: after })}
            rel="next"
            preventScrollReset
            aria-label={t("Next month")}
          >
            <i className="icon icon-chevron-right size-4 rtl:-scale-x-100" />
          </ButtonLink>
        </nav>
      </div>
      <table className="month" {...keys}>
        <caption className="sr-only">{t("Events in {month}", { month: name })}</caption>
        <thead>
          <tr>
            {weeks[0]!.map(({ day }) => (
              <th key={day} scope="col" abbr={dayText(day, { weekday: "long" })}>
                {dayText(day, { weekday: "short" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]!.day}>
              {week.map((it) => (
                <DayCell key={it.day} it={it} list={list} to={to} tabIndex={tabIndex(it.day)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore && <p className="mt-2 text-small text-quiet">{t("This month has more events than shown.")}</p>}
      {rows.length === 0 && <p className="mt-3 text-quiet">{t("No events in this month.")}</p>}
      <ul className="mt-4 phone:hidden print:hidden">
        {rows.map((row) => (
          <EventRow key={row.id} row={row} named={named} />
        ))}
      </ul>
    </>
  );
}

type CellProps = Pick<EventListProps, "to"> & {
  list: MonthData;
  it: MonthData["weeks"][number][number];
  tabIndex: number | undefined;
};

function DayCell({ it: { day, events }, list: { month, today, rows }, to, tabIndex }: CellProps) {
  const t = useTranslate();
  const dayText = useDayText();
  const { startTime } = useEventTimes();
  const number = dayText(day, { day: "numeric" });
  const date = dayText(day, { day: "numeric", month: "long" });
  const count = events.length;
  return (
    <td data-outside={!day.startsWith(month) || undefined} data-busy={count > 0 || undefined}>
      <Link
        to={to({ from: day })}
        aria-label={
          count === 0 ? date : t("{date}, {count, plural, one {# event} other {# events}}", { date, count })
        }
        aria-current={day === today ? "date" : undefined}
        className="month-day"
        data-day={day}
        tabIndex={tabIndex}
      >
        {number}
      </Link>
      <ul>
        {events.slice(0, EVENTS_PER_DAY).map((i) => {
          const row = rows[i]!;
          return (
            <li key={row.id}>
              <Link
                to={urls.event(row.eventId)}
                dir="auto"
                className="month-event"
                data-cancelled={(row.cancelledAt ?? row.postponedAt) !== null || undefined}
              >
                {!row.allDay && (
                  <span className="text-quiet figures" suppressHydrationWarning>
                    {startTime(row)}{" "}
                  </span>
                )}
                {row.title}
                {(row.cancelledAt ?? row.postponedAt) && (
                  <span className="sr-only"> ({row.cancelledAt ? t("Cancelled") : t("Postponed")})</span>
                )}
              </Link>
            </li>
          );
        })}
        {count > EVENTS_PER_DAY && (
          <li>
            <Link to={to({ from: day })} className="month-event text-quiet" tabIndex={-1}>
              {t("{count} more", { count: count - EVENTS_PER_DAY })}
            </Link>
          </li>
        )}
      </ul>
    </td>
  );
}
