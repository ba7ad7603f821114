import { MailLevels } from "../mail-levels.tsx";
import { useWords } from "../../words/index.ts";
import type { PartProps } from "../settings.tsx";
import { SettingsForm } from "./settings-form.tsx";

export function MailLevelForm(part: PartProps) {
  const t = useWords();
  return (
    <SettingsForm {...part} intent="mail" save={t("Save")}>
      <MailLevels chosen={part.data.mailLevel} />
    </SettingsForm>
  );
}
