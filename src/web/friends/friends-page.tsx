import { redirect } from "react-router";
import { requireMember } from "../auth-middleware.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader, requireSignedIn } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/friends-page";
import { redirectWithNotice } from "../notices/notice.ts";
import { AddFriend, FriendSearch, FriendTabs } from "./friend-search.tsx";
import { FriendListRow } from "./friend-row.tsx";
import { runFriendForm } from "./friend-notices.ts";
import { getFriendsPage, type FriendsTab } from "./friends-data.ts";
import { InviteFriends } from "./invite-friends.tsx";
import { createLink, revokeLink } from "./friend-link-commands.ts";
import { useLiveFriends } from "./use-live-friends.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, url }) =>
  getFriendsPage(db, requireSignedIn(viewer), url, ctx.now),
);

export const action = defineAction(async ({ app, ctx, viewer, form, url }) => {
  if (form.get("intent") === "create-link") return createLink(app, viewer);
  if (form.get("intent") === "revoke-link") {
    await revokeLink(app, viewer, form);
    return redirect(url.pathname + url.search);
  }
  const { intent, ...outcome } = await app.database.inTransaction((tx) =>
    runFriendForm(tx, viewer, form, url),
  );
  return redirectWithNotice(
    ctx,
    intent === "request-by-name" ? { to: urls.friends({ tab: "sent" }) } : outcome,
  );
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Friends"),
  hidden: true,
}));

export default function Friends({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { tab, sort, search, rows, next, suggestions, links } = useLiveFriends(loaderData);
  return (
    <>
      <PageHeader title={t("Friends")} lead={t("Your friends. Only you see this list.")} />
      <FriendTabs tab={tab} waiting={tab === "received" && next === null ? rows.length : undefined} />
      <div className="mt-4 empty:hidden">
        <RefusalNotice />
      </div>
      {tab === "friends" && (rows.length > 0 || search !== "") && (
        <FriendSearch search={search} sort={sort} />
      )}
      {rows.length > 0 && (
        <ul className="mt-2">
          {rows.map((row) => (
            <FriendListRow key={row.id} row={row} tab={tab} />
          ))}
        </ul>
      )}
      {rows.length === 0 && (
        <div className="mt-5">
          <NoFriends tab={tab} search={search} />
        </div>
      )}
      <NextPageLink
        to={next && urls.friends({ tab, search, sort: sort === "name" ? undefined : sort, after: next })}
      />
      {suggestions.length > 0 && (
        <section className="mt-8">
          <h2 className="text-large font-semibold">{t("People you may know")}</h2>
          <ul>
            {suggestions.map((row) => (
              <FriendListRow key={row.id} row={row} tab="suggestions" />
            ))}
          </ul>
        </section>
      )}
      {tab !== "received" && <AddFriend />}
      {tab === "friends" && <InviteFriends links={links} />}
    </>
  );
}

function NoFriends({ tab, search }: { tab: FriendsTab; search: string }) {
  const t = useTranslate();
  if (search !== "")
    return (
      <EmptyState title={t("No friends match “{search}”.", { search })}>
        {t("Searches names and usernames of your friends.")}
      </EmptyState>
    );
  if (tab === "received")
    return (
      <EmptyState title={t("No open requests.")}>
        {t("Friend requests to you appear here, with a note if there is one.")}
      </EmptyState>
    );
  if (tab === "sent")
    return (
      <EmptyState title={t("No sent requests.")}>
        {t("Friend requests you sent appear here until they are answered.")}
      </EmptyState>
    );
  if (tab === "suggestions")
    return (
      <EmptyState title={t("No suggestions yet.")}>
        {t("Once you have friends or are in a small group, people you may know appear here.")}
      </EmptyState>
    );
  return (
    <EmptyState title={t("No friends yet.")}>
      {t("Friends can always message each other and see what they have in common. Add someone by username.")}
    </EmptyState>
  );
}
