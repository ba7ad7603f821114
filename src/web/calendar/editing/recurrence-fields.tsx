import type { RecurrenceFields as Values, SeriesPreview } from "#community/calendar";
import { LIMITS } from "#community/rules";
import { Button, CheckField, SelectField, TextField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useWeekdayName } from "../recurrence-text.ts";
import { DatesPreview } from "./dates-preview.tsx";

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

type Props = {
  values: Values;
  /**
   * Whether an existing series is edited. The form then omits the number of dates, which counts from the
   * first date of the series.
   */
  isSeries?: boolean;
};

/**
 * How the event repeats. The style sheet hides the fields of other rules (`data-rule`), and the server
 * ignores them.
 */
export function RecurrenceFields({ values, isSeries = false }: Props) {
  const t = useTranslate();
  const weekdayName = useWeekdayName();
  const result = useFormResult<{ typed?: Record<string, string>; dates?: SeriesPreview } | undefined>();
  const typed = result?.typed;
  return (
    <fieldset className="recurrence grid gap-4">
      <legend className="mb-1 font-semibold">{t("Repetition")}</legend>
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <SelectField name="repeats" label={t("Repeats")} defaultValue={values.repeats}>
          {isSeries ? (
            <option value="once">{t("No longer repeats")}</option>
          ) : (
            <option value="never">{t("Does not repeat")}</option>
          )}
          <option value="daily">{t("Daily")}</option>
          <option value="weekly">{t("Weekly")}</option>
          <option value="monthly">{t("Monthly")}</option>
          <option value="yearly">{t("Yearly")}</option>
        </SelectField>
        <div data-rule="any">
          <TextField
            name="every"
            type="number"
            inputMode="numeric"
            min={1}
            max={LIMITS.event.series.every}
            label={t("Interval")}
            hint={t("2 means every other day, week, month or year.")}
            defaultValue={values.every}
          />
        </div>
      </div>
      <fieldset data-rule="weekly">
        <legend className="label">{t("Days of the week")}</legend>
        <p className="hint">
          {t("For weekly events. If you choose none, the weekday of the start is used.")}
        </p>
        <div className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
          {WEEKDAYS.map((name, index) => (
            <CheckField
              key={name}
              name={name}
              value="yes"
              label={weekdayName(index + 1)}
              defaultChecked={typed ? typed[name] === "yes" : values[name]}
            />
          ))}
        </div>
      </fieldset>
      <div data-rule="monthly">
        <SelectField
          name="monthDay"
          label={t("Day of the month")}
          hint={t("For monthly events. The day is taken from the start.")}
          defaultValue={values.monthDay}
        >
          <option value="date">{t("Same date, such as the 12th")}</option>
          <option value="weekday">{t("Same weekday, such as the second Tuesday")}</option>
          <option value="last_weekday">{t("Last weekday, such as the last Thursday")}</option>
        </SelectField>
      </div>
      <div data-rule="any">
        <div className="grid items-start gap-4 phone:grid-cols-2">
          <TextField
            name="lastDay"
            type="date"
            label={t("Last day (optional)")}
            hint={t("Without an end, the series goes on until someone ends it.")}
            defaultValue={values.lastDay ?? ""}
          />
          {!isSeries && (
            <TextField
              name="count"
              type="number"
              inputMode="numeric"
              min={2}
              label={t("Number of dates (optional)")}
              hint={t("Instead of a last day. At most {count, number}.", {
                count: LIMITS.event.series.dates,
              })}
              defaultValue={values.count ?? ""}
            />
          )}
        </div>
      </div>
      {result?.dates && <DatesPreview preview={result.dates} />}
    </fieldset>
  );
}

/**
 * Button that reloads the page with a preview of the dates. The form's main button precedes it, because the
 * Enter key presses the first button.
 */
export function ShowDatesButton() {
  const t = useTranslate();
  return (
    <Button type="submit" name="show" value="dates" kind="quiet" formNoValidate data-rule="any">
      {t("Show dates")}
    </Button>
  );
}
