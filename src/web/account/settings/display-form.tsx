import { SelectField, useRootData } from "../../ui/index.ts";
import { LOCALES, useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

export function DisplaySettings(part: SettingsSectionProps<"appearance">) {
  const t = useTranslate();
  const { textSize } = useRootData();
  const { account, timeZones } = part.data;
  const zones = timeZones.includes(account.timeZone) ? timeZones : [account.timeZone, ...timeZones];
  return (
    <SettingsForm {...part} intent="display" whole save={t("Save")}>
      <SelectField name="display-locale" label={t("Language")} defaultValue={account.locale}>
        {Object.entries(LOCALES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField name="display-theme" label={t("Theme")} defaultValue={account.theme}>
        <option value="system">{t("System theme")}</option>
        <option value="light">{t("Light")}</option>
        <option value="dark">{t("Dark")}</option>
      </SelectField>
      <SelectField
        name="display-textSize"
        label={t("Text size")}
        hint={t("Only in this browser.")}
        defaultValue={textSize}
      >
        <option value="normal">{t("Normal")}</option>
        <option value="large">{t("Large")}</option>
        <option value="larger">{t("Larger")}</option>
      </SelectField>
      <SelectField name="display-timeZone" label={t("Time zone")} defaultValue={account.timeZone}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </SelectField>
    </SettingsForm>
  );
}
