import { useTranslate } from "../../i18n/index.ts";

/** Labels of field kinds and audiences. */
export function useProfileFieldLabels() {
  const t = useTranslate();
  const kinds: Record<string, string> = {
    line: t("Text"),
    text: t("A text"),
    link: t("Link"),
    date: t("1 day"),
    choice: t("Single choice"),
    choices: t("Multiple choice"),
  };
  return kinds;
}
