import { type ChangeEvent, useState } from "react";
import { LIMITS } from "#community/rules";
import type { RejectedForm } from "../../request-context.ts";
import { Button, Field, SelectField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ZoneField } from "../editing/event-fields.tsx";

/** Number of time fields that the form has at first, and that the button adds. */
const FIELDS = 4;
const { min: MIN, max: MAX } = LIMITS.event.datePoll.times;
const NAME = /^starts\d+$/;
const DAY_LENGTH = "2026-12-05".length;
const USUAL_TIME = "T18:00";

type Values = Record<string, string>;
type Props = { lengths: readonly string[]; timeZone: string; timeZones: string[] };

/** Duration, times and time zone of a date poll. The button for more times also works without scripts. */
export function PollTimesFields({ lengths, timeZone, timeZones }: Props) {
  const t = useTranslate();
  const result = useFormResult<(Partial<RejectedForm> & { adds?: true }) | undefined>();
  const typed: Values = result?.typed ?? {};
  const [choice, setChoice] = useState<{ length: string; values: Values }>({
    length: typed["length"] ?? "120",
    values: {},
  });
  const sent = Object.keys(typed).filter((name) => NAME.test(name)).length;
  const count = Math.min(MAX, Math.max(FIELDS, sent + (result?.adds ? FIELDS : 0)));
  const type = choice.length === "day" ? "date" : "datetime-local";
  const lengthText = useLengthText();
  // Another duration can require inputs of another type. The new inputs get the times entered so far.
  const changeLength = ({ currentTarget: { value, form } }: ChangeEvent<HTMLSelectElement>) =>
    setChoice({ length: value, values: form ? readTimes(new FormData(form)) : {} });
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-semibold">{t("Times")}</legend>
      <SelectField name="length" label={t("Duration")} defaultValue={choice.length} onChange={changeLength}>
        {lengths.map((length) => (
          <option key={length} value={length}>
            {lengthText(length)}
          </option>
        ))}
      </SelectField>
      <div className="grid items-start gap-4 phone:grid-cols-2">
        {Array.from({ length: count }, (_, index) => {
          const [name, number] = [`starts${index + 1}`, index + 1];
          return (
            <Field
              key={`${name}-${type}`}
              name={name}
              label={type === "date" ? t("Day {number}", { number }) : t("Time {number}", { number })}
              fault={result?.refused?.fields[name]}
            >
              {(fieldProps) => (
                <input
                  {...fieldProps}
                  type={type}
                  required={number <= MIN}
                  defaultValue={toInputValue(choice.values[name] ?? typed[name] ?? "", type)}
                  className="input"
                />
              )}
            </Field>
          );
        })}
      </div>
      {count < MAX && (
        <p>
          <Button type="submit" name="show" value="times" formNoValidate>
            <i className="icon icon-plus size-4" />
            {t("Add times")}
          </Button>
        </p>
      )}
      <ZoneField timeZone={timeZone} timeZones={timeZones} />
    </fieldset>
  );
}

const readTimes = (form: FormData): Values =>
  Object.fromEntries([...form].filter(([name]) => NAME.test(name)).map(([name, it]) => [name, String(it)]));

/**
 * Formats a time for its input: only the day for a date input. A day gets the usual time for a time input.
 */
function toInputValue(value: string, type: "date" | "datetime-local"): string {
  if (type === "date") return value.slice(0, DAY_LENGTH);
  return value.length === DAY_LENGTH ? value + USUAL_TIME : value;
}

function useLengthText() {
  const t = useTranslate();
  return (length: string): string => {
    if (length === "day") return t("All day");
    const minutes = Number(length);
    return minutes < 60
      ? t("{count, plural, one {# minute} other {# minutes}}", { count: minutes })
      : t("{count, plural, one {# hour} other {# hours}}", { count: minutes / 60 });
  };
}
