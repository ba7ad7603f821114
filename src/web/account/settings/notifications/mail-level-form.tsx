import { MailLevelOptions } from "../../mail-level-options.tsx";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../../account-settings-page.tsx";
import { SettingsForm } from "../settings-form.tsx";

export function MailLevelForm(part: SettingsSectionProps) {
  const t = useTranslate();
  return (
    <>
      <SettingsForm {...part} intent="mail" save={t("Save")}>
        <MailLevelOptions chosen={part.data.mailLevel} />
      </SettingsForm>
      {part.data.mailStops > 0 && (
        <SettingsForm {...part} intent="resume-mail" save={t("Resume all emails")} kind="plain" anchor>
          <p>
            {t("You have unsubscribed from emails about {n, plural, one {one thing} other {# things}}.", {
              n: part.data.mailStops,
            })}
          </p>
        </SettingsForm>
      )}
    </>
  );
}
