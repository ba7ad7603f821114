import { MailLevels } from "../mail-levels.tsx";
import { useWords } from "../../words/index.ts";
import type { PartProps } from "../settings.tsx";
import { SettingsForm } from "./settings-form.tsx";

export function MailLevelForm(part: PartProps) {
  const t = useWords();
  return (
    <>
      <SettingsForm {...part} intent="mail" save={t("Save")}>
        <MailLevels chosen={part.data.mailLevel} />
      </SettingsForm>
      {part.data.mailStops > 0 && (
        <SettingsForm {...part} intent="mail-again" save={t("Write about all of it again")} kind="plain" anchor>
          <p>
            {t("You have ended mail about {n, plural, one {one thing} other {# things}}, by links in mails.", { n: part.data.mailStops })}
          </p>
        </SettingsForm>
      )}
    </>
  );
}
