import { numberFormat } from "../ui/text/intl-formats.ts";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { OverviewPage } from "./overview-page.tsx";

/** `to`: the page where it can be changed. */
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
export function useOverviewFigures({ people, talk, work, freeBytes, version }: OverviewPage): { title: string; figures: Figure[] }[] {
  const t = useTranslate();
  const locale = useLocale();
  const number = (n: number) => numberFormat(locale).format(n);
  return [
    {
      title: t("Waits for somebody"),
      figures: [
        { what: t("Accounts to let in"), how: number(work.accounts), to: urls.accounts({ state: "pending_approval" }) },
        { what: t("Open reports"), how: number(work.reports), to: urls.moderation() },
        { what: t("First posts"), how: number(work.firstPosts), to: urls.moderation({ tab: "posts" }) },
        { what: t("Groups to let in"), how: number(work.groups), to: urls.groupsDesk() },
        { what: t("Failed, and only tried again by hand"), how: number(work.stuck), to: urls.failures() },
      ],
    },
    {
      title: t("Who is here"),
      figures: [
        { what: t("Members"), how: number(people.members), to: urls.accounts() },
        { what: t("New this week"), how: number(people.newThisWeek), to: urls.accounts() },
        { what: t("Here today"), how: number(people.today) },
        { what: t("Here this week"), how: number(people.thisWeek) },
        { what: t("Here this month"), how: number(people.thisMonth) },
      ],
    },
    {
      title: t("Discussions of the last 30 days"),
      figures: [
        { what: t("Begun"), how: number(talk.discussions), to: urls.discussions() },
        { what: t("Nobody has answered"), how: number(talk.unanswered) },
        { what: t("Half of the answers came within"), how: talk.firstAnswer === null ? "–" : formatDuration(locale, talk.firstAnswer) },
      ],
    },
    {
      title: t("The machine"),
      figures: [
        { what: t("Jobs that wait"), how: number(work.jobs) },
        { what: t("Failed, and tried again"), how: number(work.failed - work.stuck), to: urls.failures() },
        { what: t("Mails given up in two weeks"), how: number(work.mailsGivenUp) },
        { what: t("Addresses that send mail back"), how: number(work.addressesShut) },
        { what: t("Database"), how: formatBytes(locale, work.databaseBytes) },
        { what: t("Free on the disk"), how: freeBytes === null ? "–" : formatBytes(locale, freeBytes) },
        { what: t("Version"), how: version },
      ],
    },
  ];
}
