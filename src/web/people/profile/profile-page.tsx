import { redirect } from "react-router";
import { readWithPreviewRole } from "#community/friends";
import { getPerson, listOwnPendingProfiles, removePersonPicture } from "#community/accounts";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { runFriendForm } from "../../friends/friend-notices.ts";
import { redirectWithNotice } from "../../notices/notice.ts";
import { z } from "zod";
import { feedLinkTag } from "../../head-tags.ts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader, addCacheTags, requireSignedIn } from "../../request-context.ts";
import type { Route } from "./+types/profile-page";
import { profileJsonLd } from "./profile-json-ld.ts";
import { ProfileHead } from "./profile-head.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { ProfileCompleteness } from "./profile-completeness.tsx";
import { getCompleteness, parsePreviewRole, getProfilePage, withOwnTexts } from "./profile-data.ts";
import { AccountStateNotice } from "./account-state-notice.tsx";
import { BlockedStub, ClosedProfile, FormerMember, HiddenFromGuests } from "./profile-stubs.tsx";
import { OwnTextsNotice } from "./own-texts-notice.tsx";
import { ProfilePreviewBanner } from "./profile-preview.tsx";

export const loader = defineLoader(async ({ db, app, viewer, ctx, params, url }) => {
  const wanted = {
    key: params["id"] ?? "",
    tab: readQueryParam(url, "tab"),
    after: readQueryParam(url, "after", 1000),
  };
  const as = parsePreviewRole(readQueryParam(url, "as", 10));
  if (as && isSignedIn(viewer)) {
    const own = await getPerson(db, viewer, wanted.key);
    if (own.isSelf) {
      const shut = as === "guest" && (await app.settings.get()).audience === "private";
      const read = (connection: Db, onlooker: Viewer) =>
        getProfilePage(connection, onlooker, { ...wanted, key: own.id });
      const seen = shut
        ? null
        : await readWithPreviewRole(app.database, viewer, as, read).catch(nullForGuests);
      return {
        ...(seen ?? { person: own, relationship: null, tab: null, account: null, excerpt: "" }),
        as,
        unseen: seen === null,
        missing: null,
        ownTexts: [],
      };
    }
  }
  const seen = await getProfilePage(db, viewer, wanted);
  const { person } = seen;
  if (person.movedTo) throw redirect(urls.person(person.movedTo) + url.search, 301);
  addCacheTags(ctx, "settings", `person:${person.id}`, "discussions", "groups", "resources");
  if (person.about) ctx.head = feedLinkTag(app.origin(), urls.person(person.id));
  const ownTexts = person.isSelf ? await listOwnPendingProfiles(db, viewer) : [];
  const missing =
    wanted.tab === "" ? await getCompleteness(db, viewer, withOwnTexts(person, ownTexts)) : null;
  return {
    ...seen,
    person: withOwnTexts(person, ownTexts),
    as: null,
    unseen: false,
    missing,
    ownTexts,
  };
});

/** If guests may not see people, returns null, and the page shows them a notice. */
function nullForGuests(error: unknown): null {
  if (error instanceof Refusal && error.reason === "not-signed-in") return null;
  throw error;
}

const RemovePictureInput = z.object({ which: z.enum(["photo", "header"]), reason: z.string() });

export const action = defineAction(async ({ ctx, db, app, viewer, form, url, params }) => {
  if (form.get("intent") === "remove-picture") {
    const { id } = await getPerson(db, viewer, params["id"] ?? "");
    await removePersonPicture(app, requireSignedIn(viewer), {
      personId: id,
      ...parseForm(RemovePictureInput, form),
    });
    return redirect(url.pathname);
  }
  return redirectWithNotice(
    ctx,
    await app.database.inTransaction((tx) => runFriendForm(tx, viewer, form, url)),
  );
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ person, excerpt }, _t, root) => ({
  title: person.name,
  description: excerpt || undefined,
  canonical: urls.person(person.id),
  hidden: !person.indexed,
  jsonLd: person.indexed ? profileJsonLd(person, excerpt, root.origin) : undefined,
}));

export default function ProfilePage({
  loaderData: { person, relationship, tab, account, as, unseen, missing, ownTexts },
}: Route.ComponentProps) {
  if (person.viewerBlocks) return <BlockedStub person={person} />;
  if (person.state === "erased") return <FormerMember />;
  return (
    <>
      {as && <ProfilePreviewBanner id={person.id} as={as} />}
      {unseen ? (
        <HiddenFromGuests />
      ) : (
        <>
          <ProfileHead person={person} relationship={as ? null : relationship} />
          {account && <AccountStateNotice account={account} />}
          <div className="mt-4 empty:hidden">
            <RefusalNotice />
          </div>
          <OwnTextsNotice entries={ownTexts} />
          {missing && <ProfileCompleteness id={person.id} missing={missing} />}
          {tab ? (
            <ProfileTab person={person} tab={tab} as={as ?? undefined} />
          ) : (
            <ClosedProfile person={person} as={as} />
          )}
        </>
      )}
    </>
  );
}
