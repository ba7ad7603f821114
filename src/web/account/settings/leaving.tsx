import { useWords } from "../../words/index.ts";
import { PasswordField } from "../password-field.tsx";
import type { PartProps } from "../settings.tsx";
import { SetOneFirst } from "./account-forms.tsx";
import { faultOf, SettingsForm } from "./settings-form.tsx";

export function Leaving(part: PartProps) {
  const t = useWords();
  const points = [
    t("At once: you are signed out everywhere, and nobody sees your profile any more."),
    t("For 30 days: signing in brings everything back."),
    t(
      "After that: your name, address, photo and profile are erased for good. What you wrote in discussions stays, signed “Former member”, so that the talk of others keeps its sense.",
    ),
    t("Groups that only you own need somebody who takes over first."),
  ];
  return (
    <>
      <ul className="list-disc ps-5">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {part.data.account.hasPassword ? (
        <SettingsForm {...part} intent="leave" kind="danger" save={t("Close my account")} busy={t("Closing…")}>
          <PasswordField
            name="leave-password"
            label={t("Your password")}
            autoComplete="current-password"
            fault={faultOf(part.answer, "leave-password")}
          />
        </SettingsForm>
      ) : (
        <SetOneFirst />
      )}
    </>
  );
}
