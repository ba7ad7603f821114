import { countStops } from "#community/mail";
import { listGroupsWithoutSuccessor } from "#community/groups";
import { getNotificationSettings } from "#community/notifications";
import {
  getAccount,
  getOwnExport,
  listFieldsToFill,
  getPerson,
  getOwnSanction,
  listSessions,
  listPasskeys,
  supportsPasskeys,
} from "#community/accounts";
import { listPushDevices } from "#community/push";
import { notFound } from "#platform/refusal";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, chooseAction } from "../form-parsing.ts";
import { PageHeader, pageMeta } from "../ui/index.ts";
import { defineAction, defineLoader, requireSignedIn } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/account-settings-page";
import { ProfileQuestions } from "./settings/profile-question-fields.tsx";
import { EmailForm, PasswordForm, UsernameForm } from "./settings/credential-forms.tsx";
import { BlockedPeople } from "./settings/blocked-people.tsx";
import { DisplaySettings } from "./settings/display-form.tsx";
import { listBlocksAndFilters } from "./settings/blocks-and-filters.ts";
import { ContentFilters } from "./settings/content-filters.tsx";
import { OfflineCopiesSettings } from "./settings/offline-copies-settings.tsx";
import { LimitedNotice } from "./settings/limited-notice.tsx";
import { DeleteAccount } from "./settings/delete-account.tsx";
import { PersonalExportSettings } from "./settings/personal-export.tsx";
import { MailLevelForm } from "./settings/notifications/mail-level-form.tsx";
import { NotificationSettings } from "./settings/notifications/notification-settings.tsx";
import { PasskeysSettings } from "./settings/security/passkeys-settings.tsx";
import { PrivacyFields } from "./settings/privacy-form.tsx";
import { ProfileFieldsForm } from "./settings/profile-form.tsx";
import { LinkedProviders } from "./settings/security/linked-providers.tsx";
import { PushSettings } from "./settings/notifications/push-settings.tsx";
import { SettingsSection, SettingsNavigation } from "./settings/settings-section.tsx";
import { TwoFactorSettings } from "./settings/security/two-factor-settings.tsx";
import { SessionsSettings } from "./settings/security/sessions-settings.tsx";
import { useUnsavedGuard } from "./settings/use-unsaved-guard.ts";
import { settingsCommands } from "./settings/settings-commands.ts";

export const middleware = [requireMember];
export const handle = { asides: "none" };

const assertOwnAccount = (viewerId: string | null, wanted: string | undefined) => {
  if (viewerId === null || viewerId !== wanted?.toLowerCase()) throw notFound();
};

export const loader = defineLoader(async ({ ctx, viewer, app, db, params, url }) => {
  assertOwnAccount(viewer.id, params["id"]);
  const me = requireSignedIn(viewer);
  const [account, person, sessions, passkeys, away, notices, fields, ownExport, ownedGroups] =
    await Promise.all([
      getAccount(db, me, me.id),
      getPerson(db, me, me.id),
      listSessions(app, me),
      listPasskeys(app, me),
      listBlocksAndFilters(db, me, url),
      getNotificationSettings(db, me, ctx.now),
      listFieldsToFill(db, me),
      getOwnExport(db, me, ctx.now),
      listGroupsWithoutSuccessor(db, me),
    ]);
  return {
    account,
    sessions,
    passkeys,
    supportsPasskeys: supportsPasskeys(app.origin()),
    keptAway: away,
    about: person.about,
    asked: fields,
    ownExport,
    ownedGroups,
    sanction: me.limited ? await getOwnSanction(db, me, ctx.now) : null,
    notices,
    mailLevel: notices.mailLevel,
    undo: readQueryParam(url, "undo", 60),
    mailStops: await countStops(db, me),
    pushDevices: await listPushDevices(db, me),
    vapidKey: app.pushKey,
    thisSession: ctx.sessionId,
    providers: [...app.signInProviders.keys()],
    staffNeedSecondStep: (await app.settings.get()).staffNeedSecondStep,
    timeZones: Intl.supportedValuesOf("timeZone"),
    saved: readQueryParam(url, "saved", 40),
    trouble: readQueryParam(url, "trouble", 40),
  };
});

export type SettingsData = Awaited<ReturnType<typeof loader>>;
export type SettingsSectionProps = { data: SettingsData; answer: unknown };

export const action = defineAction(async (it) => {
  assertOwnAccount(it.viewer.id, it.params["id"]);
  return chooseAction(
    settingsCommands,
    it.form,
  )({ ctx: it.ctx, me: requireSignedIn(it.viewer), form: it.form });
});

export const meta = pageMeta<SettingsData>((_data, t) => ({ title: t("Settings"), hidden: true }));

export default function Settings({ loaderData: data, actionData }: Route.ComponentProps) {
  const t = useTranslate();
  useUnsavedGuard();
  const part = { data, answer: actionData };
  const sections = [
    {
      id: "profile",
      title: t("Profile"),
      body: (
        <>
          <ProfileFieldsForm {...part} />
          <ProfileQuestions {...part} />
        </>
      ),
    },
    {
      id: "account",
      title: t("Account"),
      body: (
        <>
          {data.sanction && <LimitedNotice sanction={data.sanction} />}
          <EmailForm {...part} />
          <UsernameForm {...part} />
          <PasswordForm {...part} />
        </>
      ),
    },
    { id: "passkeys", title: t("Passkeys"), body: <PasskeysSettings {...part} /> },
    { id: "second-step", title: t("Two-factor authentication"), body: <TwoFactorSettings {...part} /> },
    { id: "sessions", title: t("Active sessions"), body: <SessionsSettings {...part} /> },
    ...(data.providers.length > 0 || data.account.providers.length > 0
      ? [{ id: "providers", title: t("Other ways to sign in"), body: <LinkedProviders {...part} /> }]
      : []),
    { id: "privacy", title: t("Privacy settings"), body: <PrivacyFields {...part} /> },
    { id: "blocked", title: t("Blocked and muted people"), body: <BlockedPeople {...part} /> },
    { id: "filters", title: t("Filtered words"), body: <ContentFilters {...part} /> },
    { id: "mail", title: t("Email"), body: <MailLevelForm {...part} /> },
    { id: "notify", title: t("Notifications"), body: <NotificationSettings {...part} /> },
    { id: "push", title: t("Browser notifications"), body: <PushSettings {...part} /> },
    { id: "offline", title: t("Offline reading"), body: <OfflineCopiesSettings /> },
    { id: "display", title: t("Appearance & region"), body: <DisplaySettings {...part} /> },
    { id: "data", title: t("Your data"), body: <PersonalExportSettings {...part} /> },
    { id: "leave", title: t("Delete account"), body: <DeleteAccount {...part} /> },
  ];
  return (
    <>
      <PageHeader title={t("Settings")} lead={t("Each part saves on its own.")} />
      <SettingsNavigation sections={sections} />
      {sections.map(({ id, title, body }) => (
        <SettingsSection key={id} id={id} title={title}>
          {body}
        </SettingsSection>
      ))}
    </>
  );
}
