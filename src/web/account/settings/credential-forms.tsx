import { LIMITS } from "#community/rules";
import { TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
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
      title={t("Email address")}
      save={t("Change the address")}
      saved={t("We have sent an email to the new address. Confirm it there.")}
    >
      <p>
        {account.email ?? t("Your account has no email address yet.")}
        {saved === "new-address" && (
          <span role="status" className="ms-2 text-accent">
            {t("Your new email address is now in use.")}
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
        hint={t("We email both addresses, so that nobody can take over your account unnoticed.")}
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
    new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: account.timeZone }).format(
      new Date(account.usernameChangeableAt),
    );
  return (
    <SettingsForm {...part} anchor intent="username" title={t("Username")} save={t("Change username")}>
      <TextField
        name="username-username"
        label={t("Username")}
        defaultValue={account.username}
        required
        maxLength={LIMITS.username.max}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        hint={
          from
            ? t("You changed your username recently. You can change it again from {date}.", { date: from })
            : t("You can change your username once every 30 days. Your old username redirects to you.")
        }
      />
    </SettingsForm>
  );
}

export function PasswordForm(part: SettingsSectionProps) {
  const t = useTranslate();
  const { account } = part.data;
  const words = usePasswordRequirements(account.role !== "member");
  if (!account.hasPassword) return <MissingPasswordHint />;
  return (
    <SettingsForm
      {...part}
      intent="password"
      save={t("Change password")}
      saved={t("Saved. You were signed out everywhere else.")}
    >
      <PasswordField
        name="password-current"
        label={t("Current password")}
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

/** Hint for people without a password, who have only signed in by email link or provider. */
export function MissingPasswordHint() {
  const t = useTranslate();
  return (
    <p className="text-quiet">
      {t("Your account has no password yet.")}{" "}
      <Link to={urls.resetPassword()}>{t("Set a password by email")}</Link>
    </p>
  );
}
