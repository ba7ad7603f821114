import type { SiteLogEntry } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";
import { type SettingLabels, useSettingLabels } from "../settings/setting-labels.ts";

type Value = SiteLogEntry["details"][string] | undefined;

/** Maximum characters of a text in the audit log; `listSiteLog` cuts longer texts. */
const SHOWN_LENGTH = 200;

/** Each changed setting of an entry with its value before and after, where the entry has both. */
export function ChangedSettings({ row: { objectId, details } }: { row: SiteLogEntry }) {
  const t = useTranslate();
  const labels = useSettingLabels().flatMap(({ settings }) => settings);
  const changed = (objectId ?? "").split(",").flatMap((key) => labels.find((it) => it.key === key) ?? []);
  const format = (as: SettingLabels["as"], value: Value) => {
    if (as === "switch") return value === true ? t("on") : t("off");
    const text = String(value ?? "").replaceAll("\n", " ");
    if (text === "") return t("empty");
    const choice = typeof as === "string" ? undefined : as.find((it) => it.value === text);
    return choice?.label ?? (text.length < SHOWN_LENGTH ? text : `${text}…`);
  };
  return (
    <ul>
      {objectId?.startsWith("siteRules") && <li>{t("Rules of the community")}</li>}
      {objectId === "reportCategories" && <li>{t("Report categories")}</li>}
      {changed.map(({ key, label, as }) => {
        const before = details[`before.${key}`];
        // A picture's value is the id of its file.
        return before === undefined || as === "picture" ? (
          <li key={key}>{label}</li>
        ) : (
          <li key={key}>
            {t("{label}: {before} → {after}", {
              label,
              before: format(as, before),
              after: format(as, details[key]),
            })}
          </li>
        );
      })}
    </ul>
  );
}
