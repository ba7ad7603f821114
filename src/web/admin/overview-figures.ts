import { numberFormat } from "../ui/text/intl-formats.ts";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { OverviewPage } from "./overview-page.tsx";

/** `to`: page on which an admin can change what causes the figure. */
type Figure = { what: string; how: string; to?: string };

const formatUnit = (locale: string, unit: string, n: number) =>
  numberFormat(locale, { style: "unit", unit, maximumFractionDigits: n < 10 ? 1 : 0 }).format(n);
const formatBytes = (locale: string, n: number) =>
  n < 1e9 ? formatUnit(locale, "megabyte", n / 1e6) : formatUnit(locale, "gigabyte", n / 1e9);
const formatDuration = (locale: string, minutes: number) =>
  minutes < 60
    ? formatUnit(locale, "minute", minutes)
    : minutes < 48 * 60
      ? formatUnit(locale, "hour", minutes / 60)
      : formatUnit(locale, "day", minutes / (24 * 60));

/** Figures of the overview, in sections. */
export function useOverviewFigures({
  people,
  talk,
  work,
  freeBytes,
  version,
}: OverviewPage): { title: string; figures: Figure[] }[] {
  const t = useTranslate();
  const locale = useLocale();
  const number = (n: number) => numberFormat(locale).format(n);
  return [
    {
      title: t("Needs attention"),
      figures: [
        {
          what: t("Pending members"),
          how: number(work.accounts),
          to: urls.accounts({ state: "pending_approval" }),
        },
        { what: t("Open reports"), how: number(work.reports), to: urls.moderation() },
        { what: t("Pending posts"), how: number(work.firstPosts), to: urls.moderation({ tab: "posts" }) },
        { what: t("Pending groups"), how: number(work.groups), to: urls.groupsDesk() },
        { what: t("Failed jobs"), how: number(work.stuck), to: urls.failures() },
      ],
    },
    {
      title: t("Members"),
      figures: [
        { what: t("Members"), how: number(people.members), to: urls.accounts() },
        { what: t("New this week"), how: number(people.newThisWeek), to: urls.accounts() },
        { what: t("Active today"), how: number(people.today) },
        { what: t("Active this week"), how: number(people.thisWeek) },
        { what: t("Active this month"), how: number(people.thisMonth) },
      ],
    },
    {
      title: t("Discussions, last 30 days"),
      figures: [
        { what: t("New"), how: number(talk.discussions), to: urls.discussions() },
        { what: t("Unanswered"), how: number(talk.unanswered) },
        {
          what: t("Median first response"),
          how: talk.firstAnswer === null ? "–" : formatDuration(locale, talk.firstAnswer),
        },
      ],
    },
    {
      title: t("System"),
      figures: [
        { what: t("Queued jobs"), how: number(work.jobs) },
        {
          what: t("Failing jobs, being retried"),
          how: number(work.failed - work.stuck),
          to: urls.failures(),
        },
        { what: t("Undelivered emails, last two weeks"), how: number(work.mailsGivenUp) },
        { what: t("Bouncing addresses"), how: number(work.addressesShut) },
        { what: t("Database"), how: formatBytes(locale, work.databaseBytes) },
        { what: t("Free disk space"), how: freeBytes === null ? "–" : formatBytes(locale, freeBytes) },
        { what: t("Version"), how: version },
      ],
    },
  ];
}
