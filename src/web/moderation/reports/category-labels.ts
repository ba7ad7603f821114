import { useTranslate } from "../../i18n/index.ts";

/** Returns the name of a category of reports: the site's own, or the translated default. */
export function useCategoryLabel() {
  const t = useTranslate();
  const defaults: Record<string, string> = {
    spam: t("Spam"),
    harassment: t("Harassment"),
    illegal: t("Illegal content"),
    "self-harm": t("Self-harm"),
    "off-topic": t("Off-topic"),
    other: t("Other", undefined, "report category"),
  };
  return ({ id, name }: { id: string; name: string }) => name || (defaults[id] ?? t("Former category"));
}
