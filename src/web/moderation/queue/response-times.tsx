import type { ResponseTimes } from "#community/moderation";
import { formatDuration } from "../../admin/overview/figure-formats.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";

/** Formats seconds as minutes, hours or days, with a dash where there is no value. */
export function useFormatSeconds(): (seconds: number | null) => string {
  const locale = useLocale();
  return (seconds) => (seconds === null ? "–" : formatDuration(locale, Math.max(seconds / 60, 1)));
}

/** Median times until cases are claimed and decided, with a link to the table by group. */
export function ResponseTimesLine({ times: { claimSeconds, decisionSeconds } }: { times: ResponseTimes }) {
  const t = useTranslate();
  const format = useFormatSeconds();
  if (claimSeconds === null && decisionSeconds === null) return null;
  return (
    <div className="mt-4 flex flex-wrap items-baseline gap-x-6 gap-y-1 text-small">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <Median label={t("Median time to claim")} value={format(claimSeconds)} />
        <Median label={t("Median time to decision")} value={format(decisionSeconds)} />
      </dl>
      <Link to={urls.responseTimes()}>{t("Response times of the last 30 days")}</Link>
    </div>
  );
}

const Median = ({ label, value }: { label: string; value: string }) => (
  <div className="flex flex-wrap gap-x-2">
    <dt className="text-quiet">{label}</dt>
    <dd className="font-semibold tabular-nums">{value}</dd>
  </div>
);
