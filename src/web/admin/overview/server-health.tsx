import type { ReactNode } from "react";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { formatBytes } from "./figure-formats.ts";
import type { OverviewPage } from "./overview-page.tsx";

/** Free bytes below which the disk needs attention. */
const LEAST_FREE = 2e9;

type HealthItem = { name: string; state: ReactNode; bad?: boolean };

/** State of email, jobs, disk, database and version, each with a mark where something is wrong. */
export function ServerHealth({ work, freeBytes, version }: OverviewPage) {
  const t = useTranslate();
  const locale = useLocale();
  const number = (n: number) => numberFormat(locale).format(n);
  const retried = work.failed - work.stuck;
  const items: HealthItem[] = [
    {
      name: t("Email"),
      bad: work.mailsGivenUp > 0,
      state:
        work.mailsGivenUp === 0
          ? t("No failures in two weeks")
          : t("{count, plural, one {# email} other {# emails}} not delivered in two weeks", {
              count: work.mailsGivenUp,
            }),
    },
    { name: t("Bouncing addresses"), state: number(work.addressesShut), bad: work.addressesShut > 0 },
    {
      name: t("Jobs"),
      bad: work.failed > 0,
      state: (
        <>
          {t("{count, plural, =0 {None queued} other {# queued}}", { count: work.jobs })}
          {work.failed > 0 && (
            <>
              {" · "}
              <Link to={urls.failures()}>
                {retried > 0
                  ? t("{count, plural, other {# being retried}}", { count: retried })
                  : t("{count, plural, other {# failed}}", { count: work.stuck })}
              </Link>
            </>
          )}
        </>
      ),
    },
    {
      name: t("Free disk space"),
      state: freeBytes === null ? "–" : formatBytes(locale, freeBytes),
      bad: freeBytes !== null && freeBytes < LEAST_FREE,
    },
    { name: t("Database"), state: formatBytes(locale, work.databaseBytes) },
    { name: t("Version"), state: version },
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 phone:grid-cols-2 wide:grid-cols-3">
      {items.map(({ name, state, bad = false }) => (
        <div key={name} className="flex items-center gap-2">
          <dt className="flex items-center gap-2">
            <i className={`icon ${bad ? "icon-flag text-amber" : "icon-check text-accent"} size-4`} />
            {name}
            {bad && <span className="sr-only"> ({t("Needs attention")})</span>}
          </dt>
          <dd className="ms-auto text-end text-quiet tabular-nums">{state}</dd>
        </div>
      ))}
    </dl>
  );
}
