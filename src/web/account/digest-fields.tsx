import { SelectField } from "../ui/index.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";

/** Monday to Sunday in the reader's language; 1 is Monday. */
export function useWeekdays(length: "long" | "short") {
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, { weekday: length, timeZone: "UTC" });
  // 5 January 1970 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({
    day,
    name: format.format(new Date(Date.UTC(1970, 0, 4 + day))),
  }));
}

export function DigestFields({ every, day }: { every: string; day: number }) {
  const t = useTranslate();
  const days = useWeekdays("long");
  return (
    <div className="flex flex-wrap gap-4">
      <SelectField name="digest-every" label={t("Frequency")} defaultValue={every}>
        <option value="never">{t("Never")}</option>
        <option value="day">{t("Every day")}</option>
        <option value="week">{t("Every week")}</option>
        <option value="month">{t("Every month")}</option>
      </SelectField>
      <SelectField name="digest-day" label={t("Day of the week")} defaultValue={String(day)}>
        {days.map(({ day: value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
