import type { ReactNode } from "react";
import { EmptyState, NextPageLink, Tabs } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { useTranslate } from "../../i18n/index.ts";
import { useDayText } from "../event-times.ts";
import { OpenDatePolls } from "../date-polls/open-date-polls.tsx";
import type { EventListData } from "./event-list-data.ts";
import { EventRow } from "./event-row.tsx";
import { MonthGrid } from "./month-grid.tsx";

type Address = { view?: "month" | "past" | undefined; month?: string; from?: string; after?: string };
export type EventListProps = {
  list: EventListData;
  /** Address of this calendar in another view. */
  to: (at: Address) => string;
  /** Whether rows show the name of their group. */
  named: boolean;
  /** Control that chooses which events are listed. */
  filter?: ReactNode;
  /** Button that creates an event. */
  action?: ReactNode;
};

/** A calendar: upcoming events, a month, or past events. */
export function EventList(props: EventListProps) {
  const t = useTranslate();
  const { list, to, filter, action } = props;
  const views = [
    { view: undefined, label: t("Upcoming") },
    { view: "month", label: t("Month") },
    { view: "past", label: t("Past") },
  ] as const;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-2 print:hidden">
        <Tabs
          label={t("Views of the calendar")}
          tabs={views.map(({ view, label }) => ({
            to: to({ view }),
            label,
            current: list.view === (view ?? "agenda"),
          }))}
        />
        {filter}
        {!isEmpty(list) && action}
      </div>
      {list.view === "month" && <MonthGrid {...props} list={list} />}
      {list.view === "past" && <PastEvents {...props} list={list} />}
      {list.view === "agenda" && <OpenDatePolls polls={list.polls} named={props.named} />}
      {list.view === "agenda" && <Agenda {...props} list={list} />}
    </>
  );
}

const isEmpty = (list: EventListData) =>
  list.view === "agenda" && list.sections.every(({ rows }) => rows.length === 0);

type PropsOf<View> = Omit<EventListProps, "list"> & { list: Extract<EventListData, { view: View }> };

function Agenda({ list, to, named, action }: PropsOf<"agenda">) {
  const { sections, from, next } = list;
  const t = useTranslate();
  const dayText = useDayText();
  const names = { today: t("Today"), week: t("This week"), later: t("Later") };
  if (isEmpty(list))
    return (
      <EmptyState title={t("No upcoming events.")} action={action}>
        {t("A meeting, a workshop, a party: events here tell people when and where.")}
      </EmptyState>
    );
  const title = (name: keyof typeof names) =>
    from
      ? t("From {day}", { day: dayText(from, { day: "numeric", month: "long", year: "numeric" }) })
      : names[name];
  return (
    <>
      {sections.map(({ name, rows }) => (
        <section key={name} aria-labelledby={`events-${name}`} className="mb-6">
          <h2 id={`events-${name}`} className="text-base font-semibold">
            {title(name)}
          </h2>
          <ul>
            {rows.map((row) => (
              <EventRow key={row.id} row={row} named={named} />
            ))}
          </ul>
        </section>
      ))}
      {from && (
        <p>
          <Link to={to({})}>{t("All upcoming events")}</Link>
        </p>
      )}
      <NextPageLink to={next && to({ after: next, ...(from && { from }) })} />
    </>
  );
}

function PastEvents({ list: { rows, next }, to, named }: PropsOf<"past">) {
  const t = useTranslate();
  if (rows.length === 0) return <EmptyState title={t("No past events.")} />;
  return (
    <>
      <h2 className="sr-only">{t("Past events")}</h2>
      <ul>
        {rows.map((row) => (
          <EventRow key={row.id} row={row} named={named} />
        ))}
      </ul>
      <NextPageLink to={next && to({ view: "past", after: next })} />
    </>
  );
}
