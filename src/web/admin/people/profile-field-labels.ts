import { useTranslate } from "../../i18n/index.ts";

/** Labels of field kinds and audiences. */
export function useProfileFieldLabels() {
  const t = useTranslate();
  const kinds: Record<string, string> = {
    line: t("A line"),
    text: t("A text"),
    link: t("A link"),
    date: t("A day"),
    choice: t("One of several"),
    choices: t("Several of several"),
  };
  return kinds;
}
