import { useEffect, useRef } from "react";
import type { SeriesPreview } from "#community/calendar";
import { useTranslate } from "../../i18n/index.ts";
import { useClockChangeText } from "../clock-change-text.ts";
import { useEventTimes } from "../event-times.ts";

/**
 * The next dates of a series that is being written, and the dates on which a clock change affects the time.
 */
export function DatesPreview({ preview }: { preview: SeriesPreview }) {
  const t = useTranslate();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (preview) box.current?.focus();
  }, [preview]);
  const { dates, count, unusual } = preview;
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={t("Dates")}
      className="rounded-control border border-dashed border-line p-3"
    >
      <p className="mb-1 text-small text-quiet">
        {count === null
          ? t("The first dates. Nothing is saved yet.")
          : t("{count, plural, one {# date.} other {# dates.}} Nothing is saved yet.", { count })}
      </p>
      <DateList dates={dates} preview={preview} />
      {unusual.length > 0 && (
        <>
          <p className="mt-2">{t("Clocks change on these dates:")}</p>
          <DateList dates={unusual} preview={preview} />
        </>
      )}
    </section>
  );
}

function DateList({ dates, preview }: { dates: SeriesPreview["dates"]; preview: SeriesPreview }) {
  const { whenInZone } = useEventTimes();
  const clockText = useClockChangeText();
  const { allDay, timeZone } = preview;
  return (
    <ul className="figures">
      {dates.map(({ startsAt, endsAt, clockChange }) => (
        <li key={new Date(startsAt).toISOString()}>
          {whenInZone({ startsAt, endsAt, allDay, timeZone })}
          {clockChange && <span className="block text-small text-quiet">{clockText(clockChange)}</span>}
        </li>
      ))}
    </ul>
  );
}
