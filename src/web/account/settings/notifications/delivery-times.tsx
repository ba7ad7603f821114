import { CheckField, SelectField, TextField } from "../../../ui/index.ts";
import { useLocale, useTranslate } from "../../../i18n/index.ts";
import { DigestFields, useWeekdays } from "../../digest-fields.tsx";
import type { SettingsSectionProps } from "../../account-settings-page.tsx";
import { fieldError, SettingsForm } from "../settings-form.tsx";

/** Hours in which mail and push notifications wait. */
export function QuietHoursForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { quietFrom, quietTo, quietDays } = part.data.notices;
  const days = useWeekdays("short");
  const fault = fieldError(part.answer, "quiet-days");
  return (
    <SettingsForm {...part} anchor intent="quiet" title={t("Quiet hours")} save={t("Save the quiet hours")}>
      <p className="text-quiet">
        {t("Mail and push wait until they are over, in your time zone ({zone}). Leave both times empty for none.", {
          zone: part.data.account.timeZone.replaceAll("_", " "),
        })}
      </p>
      <div className="flex flex-wrap gap-4">
        <TextField name="quiet-from" type="time" label={t("From")} defaultValue={quietFrom ?? ""} />
        <TextField name="quiet-to" type="time" label={t("Until")} defaultValue={quietTo ?? ""} />
      </div>
      <fieldset aria-describedby={fault ? "quiet-days-fault" : undefined}>
        <legend className="mb-1 font-[550]">{t("In nights and on days that begin on a")}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {days.map(({ day, name }) => (
            <CheckField key={day} name="quiet-days[]" value={day} label={name} defaultChecked={quietDays.includes(day)} />
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
export function PauseForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { pausedUntil } = part.data.notices;
  const until =
    pausedUntil &&
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: part.data.account.timeZone }).format(
      new Date(pausedUntil),
    );
  return (
    <SettingsForm {...part} anchor intent="pause" title={t("A pause")} save={t("Pause")} kind="plain">
      <p className="text-quiet">
        {until
          ? t("Nothing is sent to you until {date}.", { date: until })
          : t("For a while nothing is sent to you. Here you find it all the same.")}
      </p>
      <SelectField name="pause-span" label={t("For how long")} defaultValue={until ? "none" : "hour"}>
        <option value="hour">{t("An hour")}</option>
        <option value="day">{t("A day")}</option>
        <option value="week">{t("A week")}</option>
        <option value="none">{t("No pause")}</option>
      </SelectField>
    </SettingsForm>
  );
}

export function DigestForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { digestEvery, digestDay } = part.data.notices;
  return (
    <SettingsForm {...part} anchor intent="digest" title={t("Digest")} save={t("Save the digest")}>
      <p className="text-quiet">{t("A mail with the best of what you have not read. When there is nothing, none is sent.")}</p>
      <DigestFields every={digestEvery} day={digestDay} />
    </SettingsForm>
  );
}

/** Senders whose notifications go to a separate folder. */
export function SendersForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { strangersApart, newcomersApart } = part.data.notices;
  return (
    <SettingsForm {...part} anchor intent="apart" title={t("Set apart")} save={t("Save what stands apart")}>
      <p className="text-quiet">
        {t("What they do stands in a folder of its own: it is neither counted nor sent. Friends and staff are never there.")}
      </p>
      <CheckField
        name="apart-strangers"
        label={t("People with whom I share neither a friendship nor a group")}
        defaultChecked={strangersApart}
      />
      <CheckField name="apart-newcomers" label={t("People who are new here")} defaultChecked={newcomersApart} />
    </SettingsForm>
  );
}
