import type { ClockChange } from "#community/calendar";
import { useTranslate } from "../i18n/index.ts";

/** Returns a text that says how a change to or from daylight saving time affects the start of an event. */
export function useClockChangeText() {
  const t = useTranslate();
  return (change: Exclude<ClockChange, null>) =>
    change === "skipped"
      ? t("Clocks are set forward and skip the usual time: the event starts later.")
      : t("Clocks are set back, so this time occurs twice. The event starts the first time.");
}
