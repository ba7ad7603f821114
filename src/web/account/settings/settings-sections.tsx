import type { ReactNode } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { BlockedPeople } from "./blocked-people.tsx";
import { ContentFilters } from "./content-filters.tsx";
import { EmailForm, PasswordForm, UsernameForm } from "./credential-forms.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { DisplaySettings } from "./display-form.tsx";
import { MailLevelForm } from "./notifications/mail-level-form.tsx";
import { DeliverySettings, NotificationSettings } from "./notifications/notification-settings.tsx";
import { PushSettings } from "./notifications/push-settings.tsx";
import { OfflineCopiesSettings } from "./offline-copies-settings.tsx";
import { PersonalExportSettings } from "./personal-export.tsx";
import { PrivacyFields } from "./privacy-form.tsx";
import { ProfileFieldsForm } from "./profile-form.tsx";
import { ProfileQuestions } from "./profile-question-fields.tsx";
import { LinkedProviders } from "./security/linked-providers.tsx";
import { PasskeysSettings } from "./security/passkeys-settings.tsx";
import { SessionsSettings } from "./security/sessions-settings.tsx";
import { TwoFactorSettings } from "./security/two-factor-settings.tsx";
import { TokensSettings } from "./tokens/tokens-settings.tsx";
import type { SettingsBase, SettingsContent } from "./settings-data.ts";

type Props = { data: SettingsBase & { content: SettingsContent }; answer: unknown };

/** The sections of one page of the settings; each form is saved separately. */
export function SettingsSections({ data: { content, ...base }, answer }: Props) {
  const t = useTranslate();
  switch (content.page) {
    case "profile": {
      const part = { data: { ...base, ...content }, answer };
      return (
        <Section id="profile" title={t("Profile")}>
          <ProfileFieldsForm {...part} />
          <ProfileQuestions {...part} />
        </Section>
      );
    }
    case "account": {
      const part = { data: base, answer };
      return (
        <Section id="account" title={t("Account")}>
          <EmailForm {...part} />
          <UsernameForm {...part} />
        </Section>
      );
    }
    case "security": {
      const part = { data: { ...base, ...content }, answer };
      return (
        <>
          <Section id="password" title={t("Password")}>
            <PasswordForm {...part} />
          </Section>
          <Section id="passkeys" title={t("Passkeys")}>
            <PasskeysSettings {...part} />
          </Section>
          <Section id="second-step" title={t("Two-factor authentication")}>
            <TwoFactorSettings {...part} />
          </Section>
          <Section id="sessions" title={t("Active sessions")}>
            <SessionsSettings {...part} />
          </Section>
          {(content.providers.length > 0 || base.account.providers.length > 0) && (
            <Section id="providers" title={t("Other ways to sign in")}>
              <LinkedProviders {...part} />
            </Section>
          )}
        </>
      );
    }
    case "tokens":
      return (
        <Section id="tokens" title={t("Personal access tokens")}>
          <TokensSettings data={{ ...base, ...content }} answer={answer} />
        </Section>
      );
    case "privacy": {
      const part = { data: { ...base, ...content }, answer };
      return (
        <>
          <Section id="privacy" title={t("Privacy settings")}>
            <PrivacyFields {...part} />
          </Section>
          <Section id="blocked" title={t("Blocked and muted people")}>
            <BlockedPeople {...part} />
          </Section>
          <Section id="filters" title={t("Filtered words")}>
            <ContentFilters {...part} />
          </Section>
        </>
      );
    }
    case "notifications": {
      const part = { data: { ...base, ...content }, answer };
      return (
        <>
          <Section id="mail" title={t("Email")}>
            <MailLevelForm {...part} />
          </Section>
          <Section id="notify" title={t("Notifications")}>
            <NotificationSettings {...part} />
          </Section>
          <Section id="push" title={t("Browser notifications")}>
            <PushSettings {...part} />
          </Section>
          <Section id="delivery" title={t("Delivery")}>
            <DeliverySettings {...part} />
          </Section>
        </>
      );
    }
    case "appearance":
      return (
        <Section id="display" title={t("Appearance & region")}>
          <DisplaySettings data={{ ...base, ...content }} answer={answer} />
        </Section>
      );
    case "data": {
      const part = { data: { ...base, ...content }, answer };
      return (
        <>
          <Section id="data" title={t("Your data")}>
            <PersonalExportSettings {...part} />
          </Section>
          <Section id="offline" title={t("Offline reading")}>
            <OfflineCopiesSettings />
          </Section>
          <Section id="leave" title={t("Delete account")}>
            <DeleteAccount {...part} />
          </Section>
        </>
      );
    }
  }
}

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section
    id={id}
    aria-labelledby={`${id}-title`}
    className="scroll-mt-16 border-line py-6 not-first-of-type:border-t"
  >
    <h2 id={`${id}-title`} className="mb-4 font-serif text-large font-semibold">
      {title}
    </h2>
    <div className="grid gap-8">{children}</div>
  </section>
);
