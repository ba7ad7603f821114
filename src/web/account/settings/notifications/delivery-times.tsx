import { CheckField, SelectField, TextField } from "../../../ui/index.ts";
import { useLocale, useTranslate } from "../../../i18n/index.ts";
import { DigestFields, useWeekdays } from "../../digest-fields.tsx";
import type { SettingsSectionProps } from "../settings-data.ts";
import { AutosaveForm } from "../autosave-form.tsx";
import { fieldError, SettingsForm } from "../settings-form.tsx";

/** Hours in which mail and push notifications wait. */
export function QuietHoursForm(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const { quietFrom, quietTo, quietDays } = part.data.notices;
  const days = useWeekdays("short");
  const fault = fieldError(part.answer, "quiet-days");
  return (
    <SettingsForm {...part} anchor intent="quiet" title={t("Quiet hours")} save={t("Save quiet hours")}>
      <p className="text-quiet">
        {t(
          "Emails and push notifications wait until quiet hours end, in your time zone ({zone}). Leave " +
            "both times empty for none.",
          {
            zone: part.data.account.timeZone.replaceAll("_", " "),
          },
        )}
      </p>
      <div className="flex flex-wrap gap-4">
        <TextField name="quiet-from" type="time" label={t("From")} defaultValue={quietFrom ?? ""} />
        <TextField name="quiet-to" type="time" label={t("Until")} defaultValue={quietTo ?? ""} />
      </div>
      <fieldset aria-describedby={fault ? "quiet-days-fault" : undefined}>
        <legend className="mb-1 font-[550]">{t("On these days")}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {days.map(({ day, name }) => (
            <CheckField
              key={day}
              name="quiet-days[]"
              value={day}
              label={name}
              defaultChecked={quietDays.includes(day)}
            />
          ))}
        </div>
        {fault && (
          <p className="fault" id="quiet-days-fault">
            {fault}
          </p>
        )}
      </fieldset>
    </SettingsForm>
  );
}

/** Pauses all delivery for a while. */
export function PauseForm(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const locale = useLocale();
  const { pausedUntil } = part.data.notices;
  const until =
    pausedUntil &&
    new Intl.DateTimeFormat(locale, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: part.data.account.timeZone,
    }).format(new Date(pausedUntil));
  return (
    <SettingsForm {...part} anchor intent="pause" title={t("Pause")} save={t("Pause")} kind="plain">
      <p className="text-quiet">
        {until
          ? t("Emails and push notifications are paused until {date}.", { date: until })
          : t("No emails or push notifications for a while. Notifications stay on the site.")}
      </p>
      <SelectField name="pause-span" label={t("Duration")} defaultValue={until ? "none" : "hour"}>
        <option value="hour">{t("1 hour")}</option>
        <option value="day">{t("1 day")}</option>
        <option value="week">{t("1 week")}</option>
        <option value="none">{t("No pause")}</option>
      </SelectField>
    </SettingsForm>
  );
}

export function DigestForm(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const { digestEvery, digestDay } = part.data.notices;
  return (
    <AutosaveForm {...part} anchor intent="digest" title={t("Digest")} save={t("Save digest settings")}>
      <p className="text-quiet">
        {t("An email with the top posts that you have not read. None is sent when there is nothing new.")}
      </p>
      <DigestFields every={digestEvery} day={digestDay} />
    </AutosaveForm>
  );
}

/** Senders whose notifications go to a separate folder. */
export function SendersForm(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const { strangersApart, newcomersApart } = part.data.notices;
  return (
    <AutosaveForm
      {...part}
      anchor
      intent="apart"
      title={t("Filtered notifications")}
      save={t("Save filters")}
    >
      <p className="text-quiet">
        {t(
          "Notifications from these people go to a separate folder: not counted and not sent. Friends " +
            "and staff are never filtered.",
        )}
      </p>
      <CheckField
        name="apart-strangers"
        label={t("People who are neither friends nor in a group with me")}
        defaultChecked={strangersApart}
      />
      <CheckField name="apart-newcomers" label={t("New members")} defaultChecked={newcomersApart} />
    </AutosaveForm>
  );
}
