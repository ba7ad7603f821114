import { CheckField } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { PasswordField } from "../password-field.tsx";
import type { SettingsSectionProps } from "../account-settings-page.tsx";
import { MissingPasswordHint } from "./credential-forms.tsx";
import { fieldError, SettingsForm } from "./settings-form.tsx";

export function DeleteAccount(part: SettingsSectionProps) {
  const t = useTranslate();
  const { heirless } = part.data;
  const points = [
    t("At once: you are signed out everywhere, and nobody sees your profile any more."),
    t("For 30 days: signing in brings everything back."),
    t("A group of yours with nobody else in it is archived. Once you are back, you can open it again."),
    t("After that: your name, address, photo and profile are erased for good."),
  ];
  return (
    <>
      <ul className="list-disc ps-5">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {heirless.length > 0 && (
        <div className="notice" data-tone="pending">
          <div>
            <p>{t("Only you own these groups. Name somebody there who takes over, or close them, and then leave:")}</p>
            <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
              {heirless.map((group) => (
                <li key={group.slug}>
                  <Link to={urls.manageGroup(group.slug, "members")} dir="auto">
                    {group.name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {part.data.account.hasPassword ? (
        <SettingsForm {...part} intent="leave" kind="danger" save={t("Close my account")} busy={t("Closing…")}>
          <fieldset className="grid gap-2">
            <legend className="label mb-2">{t("What you wrote in discussions and comments")}</legend>
            <CheckField
              type="radio"
              name="leave-writings"
              value="keep"
              defaultChecked
              label={t("Stays, signed “Former member”")}
              hint={t("So that the talk of others keeps its sense.")}
            />
            <CheckField
              type="radio"
              name="leave-writings"
              value="remove"
              label={t("Goes with the account")}
              hint={t("An empty place with its number stays where others have answered.")}
            />
          </fieldset>
          <PasswordField
            name="leave-password"
            label={t("Your password")}
            autoComplete="current-password"
            fault={fieldError(part.answer, "leave-password")}
          />
        </SettingsForm>
      ) : (
        <MissingPasswordHint />
      )}
    </>
  );
}
