import { countStops } from "#community/mailing";
import { groupsWithoutHeir } from "#community/groups";
import { noticesFor } from "#community/notifications";
import { accountFor, exportOf, fieldsToFill, personFor, sanctionFor } from "#community/people";
import { pushDevices } from "#community/pushing";
import { notFound } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { asked, verbIn } from "../forms.ts";
import { PageHead, pageMeta } from "../ui/index.ts";
import { acting, reading, signedIn } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/settings";
import { AskedFields } from "./settings/asked-fields.tsx";
import { AddressForm, PasswordForm, UsernameForm } from "./settings/account-forms.tsx";
import { Blocked } from "./settings/blocked.tsx";
import { Display } from "./settings/display.tsx";
import { keptAway } from "./settings/kept-away.ts";
import { Filters } from "./settings/filters.tsx";
import { KeptHere } from "./settings/kept-here.tsx";
import { Limited } from "./settings/limited.tsx";
import { Leaving } from "./settings/leaving.tsx";
import { OwnExport } from "./settings/own-export.tsx";
import { MailLevelForm } from "./settings/mail-level.tsx";
import { Notices } from "./settings/notices.tsx";
import { Passkeys } from "./settings/passkeys.tsx";
import { PrivacyChoices } from "./settings/privacy-choices.tsx";
import { ProfileFields } from "./settings/profile-fields.tsx";
import { Providers } from "./settings/providers.tsx";
import { PushSettings } from "./settings/push.tsx";
import { Section, Sections } from "./settings/section.tsx";
import { SecondStepSettings } from "./settings/second-step-settings.tsx";
import { Sessions } from "./settings/sessions.tsx";
import { useUnsavedGuard } from "./settings/unsaved-guard.ts";
import { settingsVerbs } from "./settings/verbs.ts";

export const middleware = [membersOnly];
export const handle = { asides: "none" };

const ours = (viewerId: string | null, wanted: string | undefined) => {
  if (viewerId === null || viewerId !== wanted?.toLowerCase()) throw notFound();
};

export const loader = reading(async ({ visit, viewer, house, db, params, url }) => {
  ours(viewer.id, params["id"]);
  const me = signedIn(viewer);
  const [account, person, sessions, passkeys, away, notices, fields, ownExport, heirless] = await Promise.all([
    accountFor(db, me, me.id),
    personFor(db, me, me.id),
    house.accounts.sessionsOf(me),
    house.accounts.passkeysOf(me),
    keptAway(db, me, url),
    noticesFor(db, me, visit.now),
    fieldsToFill(db, me),
    exportOf(db, me, visit.now),
    groupsWithoutHeir(db, me),
  ]);
  return {
    account,
    sessions,
    passkeys,
    takesPasskeys: house.accounts.takesPasskeys(),
    keptAway: away,
    about: person.about,
    asked: fields,
    ownExport,
    heirless,
    sanction: me.limited ? await sanctionFor(db, me, visit.now) : null,
    notices,
    mailLevel: notices.mailLevel,
    undo: asked(url, "undo", 60),
    mailStops: await countStops(db, me),
    pushDevices: await pushDevices(db, me),
    vapidKey: house.pushKey,
    thisSession: visit.sessionId,
    providers: house.providers,
    staffNeedSecondStep: (await house.settings.get()).staffNeedSecondStep,
    timeZones: Intl.supportedValuesOf("timeZone"),
    saved: asked(url, "saved", 40),
    trouble: asked(url, "trouble", 40),
  };
});

export type SettingsData = Awaited<ReturnType<typeof loader>>;
export type PartProps = { data: SettingsData; answer: unknown };

export const action = acting(async (it) => {
  ours(it.viewer.id, it.params["id"]);
  return verbIn(settingsVerbs, it.form)({ visit: it.visit, me: signedIn(it.viewer), form: it.form });
});

export const meta = pageMeta<SettingsData>((_data, t) => ({ title: t("Settings"), hidden: true }));

export default function Settings({ loaderData: data, actionData }: Route.ComponentProps) {
  const t = useWords();
  useUnsavedGuard();
  const part = { data, answer: actionData };
  const sections = [
    {
      id: "profile",
      title: t("Profile"),
      body: (
        <>
          <ProfileFields {...part} />
          <AskedFields {...part} />
        </>
      ),
    },
    {
      id: "account",
      title: t("Account"),
      body: (
        <>
          {data.sanction && <Limited sanction={data.sanction} />}
          <AddressForm {...part} />
          <UsernameForm {...part} />
          <PasswordForm {...part} />
        </>
      ),
    },
    { id: "passkeys", title: t("Passkeys"), body: <Passkeys {...part} /> },
    { id: "second-step", title: t("Signing in with two steps"), body: <SecondStepSettings {...part} /> },
    { id: "sessions", title: t("Where you are signed in"), body: <Sessions {...part} /> },
    ...(data.providers.length > 0 || data.account.providers.length > 0
      ? [{ id: "providers", title: t("Other ways in"), body: <Providers {...part} /> }]
      : []),
    { id: "privacy", title: t("Who sees and reaches you"), body: <PrivacyChoices {...part} /> },
    { id: "blocked", title: t("Blocked and muted people"), body: <Blocked {...part} /> },
    { id: "filters", title: t("Filtered words"), body: <Filters {...part} /> },
    { id: "mail", title: t("Mail from here"), body: <MailLevelForm {...part} /> },
    { id: "notify", title: t("What you hear of"), body: <Notices {...part} /> },
    { id: "push", title: t("Told by your browser"), body: <PushSettings {...part} /> },
    { id: "offline", title: t("Reading without a network"), body: <KeptHere /> },
    { id: "display", title: t("Language, light and time"), body: <Display {...part} /> },
    { id: "data", title: t("Everything of yours"), body: <OwnExport {...part} /> },
    { id: "leave", title: t("Leaving"), body: <Leaving {...part} /> },
  ];
  return (
    <>
      <PageHead title={t("Settings")} lead={t("Each part saves on its own.")} />
      <Sections sections={sections} />
      {sections.map(({ id, title, body }) => (
        <Section key={id} id={id} title={title}>
          {body}
        </Section>
      ))}
    </>
  );
}
