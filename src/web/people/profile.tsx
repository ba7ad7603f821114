import { redirect } from "react-router";
import { personFor } from "#community/people";
import { excerptOf } from "#platform/markup";
import { afterwards, doneIn } from "../friends/done.ts";
import { DoneNotice } from "../friends/done-notice.tsx";
import { doToFriend } from "../friends/friend-verbs.ts";
import { asked } from "../forms.ts";
import { pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/profile";
import { jsonLdOf } from "./json-ld.ts";
import { ProfileHead } from "./profile-head.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { standingWith, tabOf } from "./profile-data.ts";
import { BlockedStub, ClosedProfile } from "./profile-stubs.tsx";

export const loader = reading(async ({ db, viewer, visit, params, url }) => {
  const person = await personFor(db, viewer, params["id"] ?? "");
  if (person.movedTo) throw redirect(urls.person(person.movedTo) + url.search, 301);
  showing(visit, "settings", `person:${person.id}`, "discussions", "groups");
  const [standing, done, tab] = await Promise.all([
    standingWith(db, viewer, person),
    doneIn(db, viewer, url),
    person.about && tabOf(db, viewer, person, asked(url, "tab"), asked(url, "after", 1000)),
  ]);
  return { person, standing, done, tab, excerpt: excerptOf(person.about?.bioHtml ?? "", 160) };
});

export const action = acting(async ({ house, viewer, form, url }) => {
  const intent = await house.database.inTransaction((tx) => doToFriend(tx, viewer, form));
  return redirect(afterwards(url, intent, form));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ person, excerpt }, _t, root) => ({
  title: person.name,
  description: excerpt || undefined,
  canonical: urls.person(person.id),
  hidden: !person.indexed,
  jsonLd: person.indexed ? jsonLdOf(person, excerpt, root.origin) : undefined,
}));

export default function ProfilePage({ loaderData: { person, standing, done, tab } }: Route.ComponentProps) {
  const t = useWords();
  if (person.viewerBlocks) return <BlockedStub person={person} />;
  return (
    <>
      <ProfileHead person={person} standing={standing} />
      <div className="mt-4 empty:hidden">
        <RefusalNotice />
        <DoneNotice done={done} />
      </div>
      {tab ? <ProfileTab person={person} tab={tab} /> : <ClosedProfile person={person} />}
      {person.isSelf && (
        <p className="mt-8 text-small text-quiet">{t("This is your own profile. Who sees what of it is set in your settings.")}</p>
      )}
    </>
  );
}
