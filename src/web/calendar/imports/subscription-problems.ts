import type { SubscriptionProblem } from "#community/calendar";
import { useTranslate } from "../../i18n/index.ts";

/** Explains why a subscribed calendar could not be read, given the limits of calendars. */
export function useProblemText({
  events,
  dates,
}: {
  events: number;
  dates: number;
}): (problem: SubscriptionProblem) => string {
  const t = useTranslate();
  return (problem) =>
    ({
      forbidden: t("The address is not public, so it cannot be read."),
      "no-response": t("The server did not respond. Another attempt is made tomorrow."),
      "no-document": t("There is no calendar at this address."),
      "not-a-calendar": t("There is no calendar at this address."),
      "too-large": t("The calendar is larger than 5 MB."),
      "too-many-events": t("The calendar has more than {count, number} events.", { count: events }),
      "too-many-dates": t("The events of the calendar have more than {count, number} dates.", {
        count: dates,
      }),
      "person-left": t(
        "The account that added this calendar is no longer active. Remove the calendar and add it again.",
      ),
    })[problem];
}
