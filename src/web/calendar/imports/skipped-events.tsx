import type { SkippedGroup, SkipReason } from "#community/calendar";
import { LIMITS } from "#community/rules";
import { useTranslate } from "../../i18n/index.ts";

/** Events that an import leaves out, by reason. */
export function SkippedEvents({ skipped }: { skipped: SkippedGroup[] }) {
  const t = useTranslate();
  const reasonText = useReasonText();
  return (
    <ul className="grid gap-2">
      {skipped.map(({ reason, detail, count, titles }) => (
        <li key={`${reason} ${detail ?? ""}`}>
          {reasonText(reason, detail)}
          {": "}
          {t("{count, plural, one {# event} other {# events}}", { count })}
          {titles.length > 0 && (
            <span className="block text-small break-words text-quiet">
              {titles.map((title, index) => (
                <span key={title}>
                  {index > 0 && " · "}
                  <bdi>{title}</bdi>
                </span>
              ))}
              {count > titles.length && " …"}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function useReasonText(): (reason: SkipReason, detail?: string) => string {
  const t = useTranslate();
  return (reason, detail) =>
    ({
      past: t("Already over"),
      cancelled: t("Cancelled"),
      "no-title": t("Without a title"),
      "bad-time": t("Start or end is not a valid time"),
      "ends-before-start": t("Ends before it starts"),
      "unknown-zone": t("Unknown time zone “{zone}”", { zone: detail ?? "" }),
      "too-long": t("Longer than {count, number} days", { count: LIMITS.event.days }),
      "too-far": t("More than three years ahead"),
      "unsupported-rule": t("Repeats in a way that is not supported"),
      "too-many-dates": t("Repeats on more than {count, number} dates", { count: LIMITS.event.series.dates }),
      "too-large": t("Too much text"),
      unreadable: t("Cannot be read"),
      "from-import": t("Comes from another subscribed calendar"),
      "own-event": t("An event of this site"),
      "other-person": t("Already in this group, where you cannot change it"),
      subscribed: t("Already in this group from a subscribed calendar"),
      "blocked-text": t("Contains words or links that are not allowed here"),
    })[reason];
}
