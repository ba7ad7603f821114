import { dateFormat, numberFormat } from "../../ui/text/intl-formats.ts";
import { useTimeZone } from "../../ui/hooks/use-time-zone.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { BarChart, type ChartPoint } from "./bar-chart.tsx";
import { formatBytes, formatDuration } from "./figure-formats.ts";
import type { OverviewPage } from "./overview-page.tsx";

type Week = OverviewPage["weeks"][number];
type Trend = {
  title: string;
  value: (week: Week) => number | null;
  /** Formats a value, or a difference with its sign. */
  format: (n: number, options?: Intl.NumberFormatOptions) => string;
};

function useTrends(): Trend[] {
  const t = useTranslate();
  const locale = useLocale();
  const count: Trend["format"] = (n, options) => numberFormat(locale, options).format(n);
  return [
    { title: t("New members"), value: ({ signUps }) => signUps, format: count },
    { title: t("People who posted"), value: ({ writers }) => writers, format: count },
    { title: t("Posts and comments"), value: ({ posts }) => posts, format: count },
    {
      title: t("Median first response"),
      value: ({ firstAnswer }) => firstAnswer,
      format: (minutes, options) => formatDuration(locale, minutes, options),
    },
    {
      title: t("Stored files"),
      value: ({ storedBytes }) => storedBytes,
      format: (bytes, options) => formatBytes(locale, bytes, options),
    },
  ];
}

/** Figures of the latest seven days, their change, and a chart and table of twelve weeks. */
export function TrendCards({ weeks }: Pick<OverviewPage, "weeks">) {
  const trends = useTrends();
  return (
    <div className="trend-cards">
      {trends.map((trend) => (
        <TrendCard key={trend.title} trend={trend} weeks={weeks} />
      ))}
    </div>
  );
}

function TrendCard({ trend: { title, value, format }, weeks }: { trend: Trend; weeks: Week[] }) {
  const t = useTranslate();
  const locale = useLocale();
  const timeZone = useTimeZone();
  const date = dateFormat(locale, { day: "numeric", month: "short", timeZone });
  const points: ChartPoint[] = weeks.map((week) => ({
    label: date.format(new Date(week.until)),
    value: value(week),
    text: value(week) === null ? "–" : format(value(week)!),
  }));
  const [before, last] = points.slice(-2);
  const change = last!.value !== null && before!.value !== null ? last!.value - before!.value : null;
  return (
    <section className="panel p-4" aria-label={title}>
      <h3 className="text-small font-semibold text-quiet">{title}</h3>
      <p className="text-title font-semibold tabular-nums">{last!.text}</p>
      <p className="mb-3 text-small text-quiet">
        {change === null
          ? t("No earlier data")
          : change === 0
            ? t("Same as the week before")
            : t("{change} from the week before", { change: format(change, { signDisplay: "always" }) })}
      </p>
      <BarChart label={t("{title} per week, last 12 weeks", { title })} points={points} />
      <details className="mt-2 text-small">
        <summary className="cursor-pointer text-quiet">
          {t("Show table")}
          <i className="icon icon-chevron-down ms-1 size-3.5 align-middle" />
        </summary>
        <table className="mt-1 w-full tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="text-quiet">
              <th scope="col" className="py-1 text-start font-normal">
                {t("Week ending")}
              </th>
              <th scope="col" className="py-1 text-end font-normal">
                {t("Value")}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map((point) => (
              <tr key={point.label} className="border-t border-line">
                <th scope="row" className="py-1 text-start font-normal">
                  {point.label}
                </th>
                <td className="py-1 text-end">{point.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
