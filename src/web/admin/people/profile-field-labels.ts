import { useTranslate } from "../../i18n/index.ts";

/** Labels of field kinds and audiences. */
export function useProfileFieldLabels() {
  const t = useTranslate();
  const kinds: Record<string, string> = {
    line: t("Short text"),
    text: t("Long text"),
    link: t("Link"),
    date: t("Date"),
    choice: t("Single choice"),
    choices: t("Multiple choice"),
  };
  return kinds;
}
