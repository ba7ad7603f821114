import { LIMITS } from "#community/rules";
import { TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import type { SettingsSectionProps } from "../account-settings-page.tsx";
import { fieldError, SettingsForm } from "./settings-form.tsx";
import { Link } from "../../ui/navigation/link.tsx";

export function EmailForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { account, saved } = part.data;
  return (
    <SettingsForm
      {...part}
      anchor
      intent="email"
      title={t("E-mail address")}
      save={t("Change the address")}
      saved={t("We have written to the new address: it holds once you confirm it there.")}
    >
      <p>
        {account.email ?? t("You have no address here yet.")}
        {saved === "new-address" && (
          <span role="status" className="ms-2 text-accent">
            {t("Your new address holds from now on.")}
          </span>
        )}
      </p>
      <TextField
        name="email-email"
        type="email"
        label={t("New address")}
        required
        maxLength={LIMITS.email}
        autoComplete="email"
        hint={t("Both addresses get a mail, so that nobody can take your account away unseen.")}
      />
      {account.hasPassword ? (
        <PasswordField
          name="email-password"
          label={t("Your password")}
          autoComplete="current-password"
          fault={fieldError(part.answer, "email-password")}
        />
      ) : (
        <MissingPasswordHint />
      )}
    </SettingsForm>
  );
}

export function UsernameForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { account } = part.data;
  const from =
    account.usernameChangeableAt &&
    new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: account.timeZone }).format(new Date(account.usernameChangeableAt));
  return (
    <SettingsForm {...part} anchor intent="username" title={t("User name")} save={t("Change the name")}>
      <TextField
        name="username-username"
        label={t("User name")}
        defaultValue={account.username}
        required
        maxLength={LIMITS.username.max}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        hint={
          from
            ? t("You have changed it not long ago; you can again from {date}.", { date: from })
            : t("It can change once in 30 days. Your former name keeps leading to you.")
        }
      />
    </SettingsForm>
  );
}

export function PasswordForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { account } = part.data;
  const words = usePasswordRequirements(account.role !== "member");
  if (!account.hasPassword)
    return (
      <div id="password" className="scroll-mt-20">
        <h3 className="mb-2 text-base font-semibold">{t("Password")}</h3>
        <MissingPasswordHint />
      </div>
    );
  return (
    <SettingsForm
      {...part}
      anchor
      intent="password"
      title={t("Password")}
      save={t("Change the password")}
      saved={t("Saved. Every other session has ended.")}
    >
      <PasswordField
        name="password-current"
        label={t("Present password")}
        autoComplete="current-password"
        fault={fieldError(part.answer, "password-current")}
      />
      <PasswordField
        name="password-password"
        label={t("New password")}
        autoComplete="new-password"
        hint={words}
        fault={fieldError(part.answer, "password-password")}
      />
    </SettingsForm>
  );
}

/** For people who have only signed in by email link or provider. */
export function MissingPasswordHint() {
  const t = useTranslate();
  return (
    <p className="text-quiet">
      {t("You have no password yet.")} <Link to={urls.resetPassword()}>{t("Set one by mail")}</Link>
    </p>
  );
}
