import { redirect } from "react-router";
import { friendsOf } from "#community/friends";
import { membersOnly } from "../auth.ts";
import { asked } from "../forms.ts";
import { Empty, NextPage, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/friends";
import { afterwards, doneIn } from "./done.ts";
import { DoneNotice } from "./done-notice.tsx";
import { AddFriend, FriendSearch, FriendTabs } from "./finding.tsx";
import { FriendLine } from "./friend-line.tsx";
import { doToFriend } from "./friend-verbs.ts";

export const middleware = [membersOnly];

const TABS = ["friends", "received", "sent", "suggestions"] as const;
const FEW = 3;

export const loader = reading(async ({ db, viewer, url }) => {
  const tab = TABS.find((name) => name === asked(url, "tab")) ?? "friends";
  const search = asked(url, "search");
  const { rows, next } = await friendsOf(db, viewer, { tab, search, after: asked(url, "after", 1000) });
  const alone = tab === "friends" && search === "" && rows.length === 0;
  const suggestions = alone ? (await friendsOf(db, viewer, { tab: "suggestions" })).rows.slice(0, FEW) : [];
  return { tab, search, rows, next, suggestions, done: await doneIn(db, viewer, url) };
});

export const action = acting(async ({ house, viewer, form, url }) => {
  const intent = await house.database.inTransaction((tx) => doToFriend(tx, viewer, form));
  return redirect(intent === "ask-by-name" ? urls.friends({ tab: "sent" }) : afterwards(url, intent, form));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Friends"), hidden: true }));

export default function Friends({ loaderData: { tab, search, rows, next, suggestions, done } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Friends")} lead={t("People you know here. Only you see this list.")} />
      <FriendTabs tab={tab} />
      <div className="mt-4 empty:hidden">
        <RefusalNotice />
        <DoneNotice done={done} />
      </div>
      {tab === "friends" && (rows.length > 0 || search !== "") && <FriendSearch search={search} />}
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
      <NextPage to={next && urls.friends({ tab, search, after: next })} />
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
    </>
  );
}

function Nobody({ tab, search }: { tab: (typeof TABS)[number]; search: string }) {
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
