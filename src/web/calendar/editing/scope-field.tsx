import { SelectField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/**
 * Selects the dates of a series that a form changes or cancels. The page has two such fields, so `name`
 * differs: ids of fields derive from it.
 */
export function ScopeField({ name, hint }: { name: "scope" | "cancelScope"; hint: string }) {
  const t = useTranslate();
  return (
    <SelectField name={name} label={t("Applies to")} hint={hint} defaultValue="this">
      <option value="this">{t("Only this date")}</option>
      <option value="following">{t("This and all later dates")}</option>
      <option value="all">{t("All dates that have not ended")}</option>
    </SelectField>
  );
}
