import type { EventSeries } from "#community/calendar";
import { useLocale, useTranslate } from "../i18n/index.ts";
import { useDayText } from "./event-times.ts";

/** Dates from a Monday to a Sunday, from which the names of the weekdays are formatted. */
const WEEK = [
  "2026-01-05",
  "2026-01-06",
  "2026-01-07",
  "2026-01-08",
  "2026-01-09",
  "2026-01-10",
  "2026-01-11",
];

/** Returns the name of a weekday, 1 for Monday to 7 for Sunday. */
export function useWeekdayName() {
  const dayText = useDayText();
  return (weekday: number) => dayText(WEEK[weekday - 1]!, { weekday: "long" });
}

/** Returns how a series repeats, as a sentence without a full stop. */
export function useRecurrenceText() {
  const t = useTranslate();
  const locale = useLocale();
  const dayText = useDayText();
  const weekdayName = useWeekdayName();
  const ordinals = [
    t("first", undefined, "calendar"),
    t("second", undefined, "calendar"),
    t("third", undefined, "calendar"),
    t("fourth", undefined, "calendar"),
    t("fifth", undefined, "calendar"),
  ];
  const rule = (it: EventSeries) => {
    const count = it.every;
    if (it.frequency === "daily")
      return t("{count, plural, one {Every day} other {Every # days}}", { count });
    if (it.frequency === "weekly") {
      const days = new Intl.ListFormat(locale).format(it.weekdays.map(weekdayName));
      return t("{count, plural, one {Every week: {days}} other {Every # weeks: {days}}}", { count, days });
    }
    if (it.frequency === "yearly") {
      const date = dayText(it.firstDay, { day: "numeric", month: "long" });
      return t("{count, plural, one {Every year on {date}} other {Every # years on {date}}}", {
        count,
        date,
      });
    }
    if (it.monthDay === "date") {
      const day = dayText(it.firstDay, { day: "numeric" });
      return t("{count, plural, one {Every month on day {day}} other {Every # months on day {day}}}", {
        count,
        day,
      });
    }
    const weekday = dayText(it.firstDay, { weekday: "long" });
    const week = it.monthDay === "last_weekday" ? t("last", undefined, "calendar") : ordinals[it.week - 1]!;
    return t(
      "{count, plural, one {Every month: {week} {weekday}} other {Every # months: {week} {weekday}}}",
      { count, week, weekday },
    );
  };
  return (it: EventSeries): string =>
    it.lastDay === null
      ? rule(it)
      : t("{rule}, until {day}", {
          rule: rule(it),
          day: dayText(it.lastDay, { day: "numeric", month: "long", year: "numeric" }),
        });
}
