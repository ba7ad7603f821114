import { MailLevelOptions } from "../../mail-level-options.tsx";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../settings-data.ts";
import { AutosaveForm } from "../autosave-form.tsx";
import { SettingsForm } from "../settings-form.tsx";

export function MailLevelForm(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  return (
    <>
      <AutosaveForm {...part} intent="mail" save={t("Save")}>
        <MailLevelOptions chosen={part.data.notices.mailLevel} />
      </AutosaveForm>
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
