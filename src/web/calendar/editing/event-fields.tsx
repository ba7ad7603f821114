import { useState } from "react";
import { LIMITS } from "#community/rules";
import { CheckField, SelectField, TextField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";

export type EventValues = {
  title?: string;
  starts?: string;
  ends?: string;
  allDay?: boolean;
  timeZone: string;
  place?: string;
  onlineUrl?: string | null;
  capacity?: number | null;
  companions?: number;
  answersUntil?: string | null;
};

export function TitleField({ title }: Pick<EventValues, "title">) {
  const t = useTranslate();
  return (
    <TextField
      name="title"
      label={t("Title")}
      required
      minLength={LIMITS.event.title.min}
      maxLength={LIMITS.event.title.max}
      defaultValue={title}
      dir="auto"
      autoComplete="off"
    />
  );
}

/** Start and end in the event's time zone. */
export function TimeFields({ values, timeZones }: { values: EventValues; timeZones: string[] }) {
  const t = useTranslate();
  const typed = useTyped();
  const [allDay, setAllDay] = useState(typed ? typed["allDay"] === "yes" : (values.allDay ?? false));
  // Formats a time for its input. When the choice "all day" changes, times become days, and days become
  // midnight.
  const asTyped = (name: "starts" | "ends") => {
    const value = typed?.[name] ?? values[name];
    return value && (allDay ? value.slice(0, DAY_LENGTH) : value);
  };
  const type = allDay ? "date" : "datetime-local";
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-semibold">{t("When")}</legend>
      <CheckField
        name="allDay"
        value="yes"
        label={t("All day")}
        defaultChecked={allDay}
        onChange={(event) => setAllDay(event.currentTarget.checked)}
      />
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <TextField
          key={`starts-${type}`}
          name="starts"
          type={type}
          label={t("Start")}
          required
          defaultValue={asTyped("starts")}
          onChange={(event) => suggestEnd(event.currentTarget)}
        />
        <TextField
          key={`ends-${type}`}
          name="ends"
          type={type}
          label={t("End")}
          required
          defaultValue={asTyped("ends")}
        />
      </div>
      <ZoneField timeZone={values.timeZone} timeZones={timeZones} />
    </fieldset>
  );
}

export function ZoneField({ timeZone, timeZones }: { timeZone: string; timeZones: string[] }) {
  const t = useTranslate();
  const zones = timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones];
  return (
    <SelectField
      name="timeZone"
      label={t("Time zone")}
      hint={t("Time zone of the event's location.")}
      defaultValue={timeZone}
    >
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll("_", " ")}
        </option>
      ))}
    </SelectField>
  );
}

const DAY_LENGTH = "2026-12-05".length;

/** Fills an empty end field with the start, so that only the hour has to be chosen. */
function suggestEnd(starts: HTMLInputElement) {
  const ends = starts.form?.elements.namedItem("ends");
  if (ends instanceof HTMLInputElement && ends.value === "") ends.value = starts.value;
}

function useTyped(): Record<string, string> | undefined {
  const answer = useFormResult<RejectedForm | undefined>();
  return answer && "typed" in answer ? answer.typed : undefined;
}

/**
 * Fields for the event's place. Without `seesOnlineUrl`, the field for the call's address is omitted, and
 * the address remains unchanged.
 */
export function PlaceFields({
  values,
  seesOnlineUrl = true,
}: {
  values: EventValues;
  seesOnlineUrl?: boolean;
}) {
  const t = useTranslate();
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-semibold">{t("Where")}</legend>
      <TextField
        name="place"
        label={t("Place (optional)")}
        maxLength={LIMITS.event.place}
        defaultValue={values.place}
        dir="auto"
        autoComplete="off"
      />
      {seesOnlineUrl && (
        <TextField
          name="onlineUrl"
          type="url"
          inputMode="url"
          label={t("Address of the call (optional)")}
          hint={t("Only people who are going see this address.")}
          placeholder="https://"
          maxLength={LIMITS.url}
          defaultValue={values.onlineUrl ?? ""}
          autoComplete="off"
        />
      )}
    </fieldset>
  );
}

/** `going`: number of attendees of an existing event. */
export function AnswerSettings({ values, going = 0 }: { values: EventValues; going?: number }) {
  const t = useTranslate();
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-semibold">{t("Answers")}</legend>
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <TextField
          name="capacity"
          type="number"
          inputMode="numeric"
          min={1}
          max={LIMITS.event.places}
          label={t("Number of places (optional)")}
          hint={
            going > 0
              ? t(
                  "{count, plural, one {# person is going and keeps their place.} " +
                    "other {# people are going and keep their places.}}",
                  {
                    count: going,
                  },
                )
              : t("When all places are taken, people join a waiting list.")
          }
          defaultValue={values.capacity ?? ""}
        />
        <SelectField
          name="companions"
          label={t("Maximum companions per person")}
          defaultValue={String(values.companions ?? 0)}
        >
          {Array.from({ length: LIMITS.event.companions + 1 }, (_, count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        name="answersUntil"
        type="datetime-local"
        label={t("Answers until (optional)")}
        hint={t("Without a time, people can answer until the event ends.")}
        defaultValue={values.answersUntil ?? ""}
      />
    </fieldset>
  );
}
