import type { ReactNode } from "react";
import type { CalendarEvent } from "#community/calendar";
import { Time, useRootData } from "../ui/index.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { useClockChangeText } from "./clock-change-text.ts";
import type { EventPageData } from "./event-data.ts";
import { useEventTimes } from "./event-times.ts";
import { useRecurrenceText } from "./recurrence-text.ts";

/** Milliseconds before the start during which a countdown is shown. */
const COUNTDOWN = 7 * 86_400_000;

type FactsProps = { event: CalendarEvent } & Pick<EventPageData, "series" | "clockChange">;

/** Time, place and capacity of an event. */
export function EventFacts({ event, series, clockChange }: FactsProps) {
  const t = useTranslate();
  const places =
    event.capacity === null
      ? null
      : t("{going} of {capacity, plural, one {# place} other {# places}} taken", {
          going: event.going,
          capacity: event.capacity,
        });
  return (
    <dl className="grid gap-3">
      <Fact icon="clock" name={t("When")}>
        <When event={event} series={series} clockChange={clockChange} />
      </Fact>
      {event.place && (
        <Fact icon="map-pin" name={t("Where")}>
          <bdi>{event.place}</bdi>{" "}
          <a href={mapAddress(event.place)} rel="noreferrer" className="text-small print:hidden">
            {t("Map")}
          </a>
        </Fact>
      )}
      {event.onlineUrl && (
        <Fact icon="laptop" name={t("Online")}>
          <a href={event.onlineUrl} rel="noreferrer" className="break-words" dir="ltr">
            {event.onlineUrl}
          </a>
          <span className="hint block">{t("Only people who are going see this address.")}</span>
        </Fact>
      )}
      {places && (
        <Fact icon="users" name={t("Places")}>
          {places}
          {event.waiting > 0 && (
            <span className="text-quiet">
              {" · "}
              {t("{count, plural, one {# waiting} other {# waiting}}", { count: event.waiting })}
            </span>
          )}
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ icon, name, children }: { icon: string; name: string; children: ReactNode }) => (
  <div className="flex gap-3">
    <dt className="mt-0.5 flex-none text-quiet">
      <i className={`icon icon-${icon} size-5`} />
      <span className="sr-only">{name}</span>
    </dt>
    <dd className="min-w-0 flex-1 figures">{children}</dd>
  </div>
);

function When({ event, series, clockChange }: FactsProps) {
  const t = useTranslate();
  const { when, whenThere } = useEventTimes();
  const { now } = useRootData();
  const recurrenceText = useRecurrenceText();
  const clockText = useClockChangeText();
  const there = whenThere(event);
  const ahead = new Date(event.startsAt).getTime() - now;
  return (
    <>
      <time dateTime={event.startsAt.toISOString()} className="font-semibold" suppressHydrationWarning>
        {when(event)}
      </time>
      {event.allDay && <span className="text-quiet"> · {t("All day")}</span>}
      {there && (
        <span className="block text-small text-quiet" suppressHydrationWarning>
          {t("Local time of the event: {when}", { when: there })}
        </span>
      )}
      {clockChange && <span className="block text-small text-quiet">{clockText(clockChange)}</span>}
      {series && <span className="block text-small text-quiet">{recurrenceText(series)}</span>}
      {!event.cancelledAt && !event.postponedAt && ahead > 0 && ahead < COUNTDOWN && (
        <span className="block text-small text-quiet">
          <Rich text="Starts <0></0>" parts={{ 0: <Time at={event.startsAt} /> }} />
        </span>
      )}
    </>
  );
}

/** Address of a map search for the place. Nothing is loaded from there until the link is opened. */
const mapAddress = (place: string) =>
  `https://www.openstreetmap.org/search?${new URLSearchParams({ query: place })}`;
