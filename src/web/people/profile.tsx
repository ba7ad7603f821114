import { redirect } from "react-router";
import { seenAs } from "#community/friends";
import { personFor } from "#community/people";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { afterwards, doneIn } from "../friends/done.ts";
import { DoneNotice } from "../friends/done-notice.tsx";
import { doToFriend } from "../friends/friend-verbs.ts";
import { z } from "zod";
import { asked, parseForm } from "../forms.ts";
import { pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing, signedIn } from "../visit.ts";
import type { Route } from "./+types/profile";
import { jsonLdOf } from "./json-ld.ts";
import { ProfileHead } from "./profile-head.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { Missing } from "./missing.tsx";
import { completenessOf, onlookerIn, profileFor } from "./profile-data.ts";
import { AccountState } from "./account-state.tsx";
import { BlockedStub, ClosedProfile, FormerMember, NothingForGuests } from "./profile-stubs.tsx";
import { SeenAs } from "./seen-as.tsx";

export const loader = reading(async ({ db, house, viewer, visit, params, url }) => {
  const wanted = { key: params["id"] ?? "", tab: asked(url, "tab"), after: asked(url, "after", 1000) };
  const as = onlookerIn(asked(url, "as", 10));
  if (as && isSignedIn(viewer)) {
    const own = await personFor(db, viewer, wanted.key);
    if (own.isSelf) {
      const shut = as === "guest" && (await house.settings.get()).audience === "private";
      const read = (sight: Db, onlooker: Viewer) => profileFor(sight, onlooker, { ...wanted, key: own.id });
      const seen = shut ? null : await seenAs(house.database, viewer, as, read).catch(notForGuests);
      return {
        ...(seen ?? { person: own, standing: null, tab: null, account: null, excerpt: "" }),
        as,
        unseen: seen === null,
        missing: null,
        done: null,
      };
    }
  }
  const seen = await profileFor(db, viewer, wanted);
  const { person } = seen;
  if (person.movedTo) throw redirect(urls.person(person.movedTo) + url.search, 301);
  showing(visit, "settings", `person:${person.id}`, "discussions", "groups", "resources");
  const missing = wanted.tab === "" ? await completenessOf(db, viewer, person) : null;
  return { ...seen, as: null, unseen: false, missing, done: await doneIn(db, viewer, url) };
});

/** Where guests may see no people, this page shows them a notice. */
function notForGuests(error: unknown): null {
  if (error instanceof Refusal && error.reason === "not-signed-in") return null;
  throw error;
}

const Taken = z.object({ which: z.enum(["photo", "header"]), reason: z.string() });

export const action = acting(async ({ db, house, viewer, form, url, params }) => {
  if (form.get("intent") === "take-picture") {
    const { id } = await personFor(db, viewer, params["id"] ?? "");
    await house.accounts.takePicture(signedIn(viewer), { personId: id, ...parseForm(Taken, form) });
    return redirect(url.pathname);
  }
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

export default function ProfilePage({ loaderData: { person, standing, done, tab, account, as, unseen, missing } }: Route.ComponentProps) {
  if (person.viewerBlocks) return <BlockedStub person={person} />;
  if (person.state === "erased") return <FormerMember />;
  return (
    <>
      {as && <SeenAs id={person.id} as={as} />}
      {unseen ? (
        <NothingForGuests />
      ) : (
        <>
          <ProfileHead person={person} standing={as ? null : standing} />
          {account && <AccountState account={account} />}
          <div className="mt-4 empty:hidden">
            <RefusalNotice />
            <DoneNotice done={done} />
          </div>
          {missing && <Missing id={person.id} missing={missing} />}
          {tab ? <ProfileTab person={person} tab={tab} as={as ?? undefined} /> : <ClosedProfile person={person} as={as} />}
        </>
      )}
    </>
  );
}
