import { redirect } from "react-router";
import { membersOnly } from "../auth.ts";
import { Empty, NextPage, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, signedIn } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/friends";
import { afterwards, doneIn } from "./done.ts";
import { DoneNotice } from "./done-notice.tsx";
import { AddFriend, FriendSearch, FriendTabs } from "./finding.tsx";
import { FriendLine } from "./friend-line.tsx";
import { doToFriend } from "./friend-verbs.ts";
import { friendsPage, type FriendsTab } from "./friends-data.ts";
import { InviteFriends } from "./invite-friends.tsx";
import { makeLink, revokeLink } from "./link-verbs.ts";
import { useLiveFriends } from "./use-live-friends.ts";

export const middleware = [membersOnly];

export const loader = reading(async ({ visit, db, viewer, url }) => {
  const [page, done] = await Promise.all([friendsPage(db, signedIn(viewer), url, visit.now), doneIn(db, viewer, url)]);
  return { ...page, done };
});

export const action = acting(async ({ house, viewer, form, url }) => {
  if (form.get("intent") === "make-link") return makeLink(house, viewer);
  if (form.get("intent") === "revoke-link") {
    await revokeLink(house, viewer, form);
    return redirect(url.pathname + url.search);
  }
  const intent = await house.database.inTransaction((tx) => doToFriend(tx, viewer, form));
  return redirect(intent === "ask-by-name" ? urls.friends({ tab: "sent" }) : afterwards(url, intent, form));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Friends"), hidden: true }));

export default function Friends({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { tab, sort, search, rows, next, suggestions, links, done } = useLiveFriends(loaderData);
  return (
    <>
      <PageHead title={t("Friends")} lead={t("People you know here. Only you see this list.")} />
      <FriendTabs tab={tab} waiting={tab === "received" && next === null ? rows.length : undefined} />
      <div className="mt-4 empty:hidden">
        <RefusalNotice />
        <DoneNotice done={done} />
      </div>
      {tab === "friends" && (rows.length > 0 || search !== "") && <FriendSearch search={search} sort={sort} />}
      {rows.length > 0 && (
        <ul className="mt-2">
          {rows.map((row) => (
            <FriendLine key={row.id} row={row} tab={tab} />
          ))}
        </ul>
      )}
      {rows.length === 0 && (
        <div className="mt-5">
          <Nobody tab={tab} search={search} />
        </div>
      )}
      <NextPage to={next && urls.friends({ tab, search, sort: sort === "name" ? undefined : sort, after: next })} />
      {suggestions.length > 0 && (
        <section className="mt-8">
          <h2 className="text-large font-semibold">{t("People you may know")}</h2>
          <ul>
            {suggestions.map((row) => (
              <FriendLine key={row.id} row={row} tab="suggestions" />
            ))}
          </ul>
        </section>
      )}
      {tab !== "received" && <AddFriend />}
      {tab === "friends" && <InviteFriends links={links} />}
    </>
  );
}

function Nobody({ tab, search }: { tab: FriendsTab; search: string }) {
  const t = useWords();
  if (search !== "")
    return (
      <Empty title={t("No friend is called “{search}”.", { search })}>
        {t("The search looks at names and user names of your friends.")}
      </Empty>
    );
  if (tab === "received")
    return (
      <Empty title={t("Nobody is waiting for your answer.")}>{t("Friend requests to you appear here, with a note if there is one.")}</Empty>
    );
  if (tab === "sent")
    return (
      <Empty title={t("You have no requests under way.")}>
        {t("When you ask somebody to be friends, the request waits here until they answer.")}
      </Empty>
    );
  if (tab === "suggestions")
    return (
      <Empty title={t("No suggestions yet.")}>{t("Once you have friends or are in a small group, people you may know appear here.")}</Empty>
    );
  return (
    <Empty title={t("No friends here yet.")}>
      {t(
        "Friends find each other quickly, can always write to each other, and see what they have in common. Add somebody you know by their user name.",
      )}
    </Empty>
  );
}
