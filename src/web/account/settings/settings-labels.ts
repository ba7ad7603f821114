import { useTranslate } from "../../i18n/index.ts";
import type { SettingsPage } from "../../urls.ts";

/** Pages of the settings with their labels, in the order of their tabs. */
export function useSettingsPageLabels(): [SettingsPage, string][] {
  const t = useTranslate();
  return [
    ["profile", t("Profile")],
    ["account", t("Account")],
    ["security", t("Security")],
    ["tokens", t("Access tokens")],
    ["privacy", t("Privacy settings")],
    ["notifications", t("Notifications")],
    ["appearance", t("Appearance & region")],
    ["data", t("Your data")],
  ];
}
