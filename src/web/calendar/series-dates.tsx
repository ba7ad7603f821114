import { Tag } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { EventPageData } from "./event-data.ts";
import { useEventTimes } from "./event-times.ts";

/** Further dates of the event's series, each with its own page and answers. */
export function SeriesDates({ page: { event, dates } }: { page: EventPageData }) {
  const t = useTranslate();
  const { when } = useEventTimes();
  if (!event.seriesId) return null;
  return (
    <section aria-labelledby="series" className="mb-6">
      <h2 id="series" className="mb-1 text-large font-semibold">
        {t("More dates")}
      </h2>
      {dates.length === 0 && <p className="text-quiet">{t("No further dates.")}</p>}
      <ul>
        {dates.map((it) => (
          <li key={it.id} className="py-1 figures">
            <Link to={urls.event(it.eventId)} suppressHydrationWarning>
              {when(it)}
            </Link>
            {(it.cancelledAt ?? it.postponedAt) && (
              <>
                {" "}
                <Tag>{it.cancelledAt ? t("Cancelled") : t("Postponed")}</Tag>
              </>
            )}
            {it.answer === "going" && <span className="text-small text-quiet"> · {t("You're going")}</span>}
          </li>
        ))}
      </ul>
      <p className="mt-1 print:hidden">
        <a href={urls.eventCalendar(event.id, { dates: "all" })}>{t("Add all dates to calendar")}</a>
      </p>
    </section>
  );
}
