import { CheckField } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { PasswordField } from "../password-field.tsx";
import type { SettingsSectionProps } from "./settings-data.ts";
import { MissingPasswordHint } from "./credential-forms.tsx";
import { fieldError, SettingsForm } from "./settings-form.tsx";

export function DeleteAccount(part: SettingsSectionProps<"data">) {
  const t = useTranslate();
  const { ownedGroups } = part.data;
  const points = [
    t("Immediately: you are signed out everywhere and your profile is hidden."),
    t("For 30 days: sign in to restore everything."),
    t("Groups of which you are the only member are archived. You can reopen them if you return."),
    t("Afterwards: your name, email address, photo and profile are erased."),
  ];
  return (
    <>
      <ul className="list-disc ps-5">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {ownedGroups.length > 0 && (
        <div className="notice" data-tone="pending">
          <div>
            <p>
              {t("You are the only owner of these groups. Choose successors or delete the groups first:")}
            </p>
            <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
              {ownedGroups.map((group) => (
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
        <SettingsForm {...part} intent="leave" kind="danger" save={t("Delete account")} busy={t("Deleting…")}>
          <fieldset className="grid gap-2">
            <legend className="label mb-2">{t("Your posts and comments")}</legend>
            <CheckField
              type="radio"
              name="leave-content"
              value="keep"
              defaultChecked
              label={t("Keep them, signed “Former member”")}
              hint={t("Discussions stay understandable for others.")}
            />
            <CheckField
              type="radio"
              name="leave-content"
              value="remove"
              label={t("Delete them")}
              hint={t("Where others have replied, an empty post with its number stays.")}
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
