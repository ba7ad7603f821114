import { Form } from "react-router";
import { SelectField, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ACCOUNT_STATES } from "./account-options.ts";
import { useAccountStateLabels } from "./account-labels.ts";
import type { AccountsPage } from "./accounts-page.tsx";

/** Filters the list by a GET form to the same page. */
export function AccountFilter({ filters, isAdmin }: Pick<AccountsPage, "filters" | "isAdmin">) {
  const t = useTranslate();
  const states = useAccountStateLabels();
  return (
    <Form
      role="search"
      aria-label={t("Search members")}
      key={JSON.stringify(filters)}
      className="mb-4 flex flex-wrap items-end gap-3"
    >
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          name="search"
          type="search"
          label={isAdmin ? t("Name, username or email address") : t("Name or username")}
          defaultValue={filters.search}
          maxLength={200}
          autoComplete="off"
          dir="auto"
        />
      </div>
      <SelectField name="state" label={t("Status")} defaultValue={filters.state ?? ""}>
        <option value="">{t("All")}</option>
        {ACCOUNT_STATES.map((state) => (
          <option key={state} value={state}>
            {states[state]}
          </option>
        ))}
      </SelectField>
      <button type="submit" className="button">
        {t("Search")}
      </button>
    </Form>
  );
}
