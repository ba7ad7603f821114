import { Form } from "react-router";
import { SelectField, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { LogsPage } from "./logs-data.ts";

/** Filters the log by a GET form to the same page. */
export function LogFilter({ loggers, filters }: Pick<LogsPage, "loggers" | "filters">) {
  const t = useTranslate();
  const known =
    filters.logger === "" || loggers.includes(filters.logger) ? loggers : [filters.logger, ...loggers];
  return (
    <Form
      role="search"
      aria-label={t("Search the logs")}
      key={JSON.stringify(filters)}
      className="mb-4 grid gap-3 grid-cols-2 phone:grid-cols-4"
    >
      <div className="col-span-full">
        <TextField
          name="search"
          type="search"
          label={t("Words")}
          defaultValue={filters.search}
          maxLength={200}
          dir="auto"
        />
      </div>
      <SelectField name="logger" label={t("Logger")} defaultValue={filters.logger}>
        <option value="">{t("All")}</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField name="level" label={t("Level")} defaultValue={filters.level}>
        <option value="">{t("All")}</option>
        <option value="DEBUG">{t("Debug and above")}</option>
        <option value="INFO">{t("Info and above")}</option>
        <option value="WARN">{t("Warnings and above")}</option>
        <option value="ERROR">{t("Errors and above")}</option>
        <option value="FATAL">{t("Fatal only")}</option>
      </SelectField>
      <TextField name="from" type="date" label={t("From")} defaultValue={filters.from} />
      <TextField name="until" type="date" label={t("To")} defaultValue={filters.until} />
      <div className="col-span-full">
        <button type="submit" className="button">
          {t("Search")}
        </button>
      </div>
    </Form>
  );
}
