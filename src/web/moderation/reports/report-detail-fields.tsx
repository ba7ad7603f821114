import type { ReportCategory } from "#community/moderation";
import { ILLEGAL_CATEGORY, LIMITS } from "#community/rules";
import { SelectField, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { WebContext } from "../../web-context.ts";
import { useCategoryLabel } from "./category-labels.ts";

/** Categories that a report form offers. */
export const loadCategories = async ({ settings }: Pick<WebContext, "settings">): Promise<ReportCategory[]> =>
  (await settings.get()).reportCategories.filter(({ off }) => !off);

/**
 * Category of a report, and a field for the law that illegal content breaks; the style sheet hides this field
 * for other categories.
 */
export function ReportDetailFields({ categories }: { categories: ReportCategory[] }) {
  const t = useTranslate();
  const label = useCategoryLabel();
  return (
    <>
      <SelectField name="category" label={t("Category")} required>
        <option value="">{t("Choose…")}</option>
        {categories.map((it) => (
          <option key={it.id} value={it.id}>
            {label(it)}
          </option>
        ))}
      </SelectField>
      {categories.some(({ id }) => id === ILLEGAL_CATEGORY) && (
        <div className="law-field">
          <TextField
            name="law"
            label={t("Country and law (optional)")}
            hint={t("If the content is illegal: in which country, and which law it breaks.")}
            maxLength={LIMITS.reports.law}
            dir="auto"
            autoComplete="off"
          />
        </div>
      )}
    </>
  );
}
