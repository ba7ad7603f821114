import type { ImportSource } from "#community/import-export";
import { SelectField, useRootData } from "../../ui/index.ts";
import { dateFormat } from "../../ui/text/intl-formats.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { FORMAT_NAMES } from "./import-labels.ts";

/**
 * Asks whether an earlier import was from the same source, so that its records are not imported twice and ids
 * of different sources are not mixed up. Hidden if only one answer is possible.
 */
export function ImportSourceField({ sources }: { sources: ImportSource[] }) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  if (sources.length === 0) return <input type="hidden" name="source" value="new" />;
  const dayOf = (at: Date) => dateFormat(locale, { dateStyle: "medium", timeZone }).format(at);
  return (
    <SelectField
      name="source"
      label={t("Have you imported from the same source before?")}
      hint={t(
        "If you have, only new content is imported. Content of different sources stays separate, " +
          "even if names and numbers match.",
      )}
      required
      defaultValue=""
    >
      <option value="" disabled>
        {t("Choose…")}
      </option>
      <option value="new">{t("No, this is a new source")}</option>
      {Object.entries(Object.groupBy(sources, ({ format }) => format)).map(([format, some]) => (
        <optgroup key={format} label={FORMAT_NAMES[format] ?? format}>
          {some?.map(({ id, name, latestAt }) => (
            <option key={id} value={id}>
              {t("Same as {name}, {date}", { name, date: dayOf(latestAt) })}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
