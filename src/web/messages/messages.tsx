import { redirect } from "react-router";
import {
  conversationsOf,
  findMessages,
  NewConversation,
  nextUnreadConversation,
  requestCards,
  startConversation,
} from "#community/conversations";
import { draftFor, place } from "#community/discussions";
import { friendsOf } from "#community/friends";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { Empty, NextPage, Notice, PageHead, pageMeta, RefusalNotice, SearchIn } from "../ui/index.ts";
import { useAnswer } from "../ui/use-answer.ts";
import { urls } from "../urls.ts";
import { acting, reading, type Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/messages";
import { ConversationLine } from "./conversation-line.tsx";
import { doInConversation } from "./conversation-verbs.ts";
import { FoundMessages } from "./found-messages.tsx";
import { FriendsToWrite } from "./friends-to-write.tsx";
import { InboxTabs } from "./inbox-tabs.tsx";
import { NewMessageForm } from "./new-message.tsx";

export const middleware = [membersOnly];

const TABS = ["all", "unread", "groups", "requests", "archived"] as const;
const FEW = 3;

export const loader = reading(async ({ db, viewer, url }) => {
  const wantsUnread = asked(url, "next") === "unread";
  const unread = wantsUnread && (await nextUnreadConversation(db, viewer, asked(url, "from")));
  if (unread) throw redirect(urls.conversation(unread.id));
  const search = asked(url, "search");
  const within = asked(url, "in", 40);
  const found =
    search || within ? await findMessages(db, viewer, { search, conversationId: within, after: asked(url, "after", 1000) }) : null;
  const tab = TABS.find((name) => name === asked(url, "tab")) ?? "all";
  const { rows, next } = found ? { rows: [], next: null } : await conversationsOf(db, viewer, { tab, after: asked(url, "after", 1000) });
  const requests = tab === "requests" && rows.length > 0 ? await requestCards(db, viewer) : [];
  const friends = tab === "all" && rows.length === 0 && !found ? (await friendsOf(db, viewer, { tab: "friends" })).rows.slice(0, FEW) : [];
  return {
    tab,
    allRead: wantsUnread,
    rows,
    next,
    friends,
    requests,
    search,
    within,
    found,
    to: asked(url, "to"),
    menu: asked(url, "menu"),
    clientId: crypto.randomUUID(),
    begins: asked(url, "begin") === "1",
    // The draft does not store its recipient: the form has it, unless a recipient is given in the URL.
    draft: url.searchParams.has("draft") && !asked(url, "to") ? await draftFor(db, viewer, place.newConversation) : null,
  };
});

export const action = acting(async ({ house, viewer, form, url }) => {
  if (form.get("intent") === "start") {
    const { id } = await house.database.inTransaction((tx) => startConversation(tx, viewer, parseForm(NewConversation, form)));
    return redirect(urls.conversation(id));
  }
  const intent = await house.database.inTransaction((tx) => doInConversation(tx, viewer, form));
  url.searchParams.delete("menu");
  return redirect(intent === "accept" ? urls.conversation(String(form.get("conversationId"))) : url.pathname + url.search);
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Messages"), hidden: true }));

export default function Messages({
  loaderData: { tab, allRead, rows, next, friends, requests, search, within, found, to, menu, clientId, begins, draft },
}: Route.ComponentProps) {
  const t = useWords();
  const refused = useAnswer<Refused | undefined>();
  const writing =
    begins || to !== "" || draft !== null || (refused !== undefined && "refused" in refused && refused.typed["intent"] === "start");
  return (
    <>
      <PageHead title={t("Messages")} lead={t("Conversations only those in them can read.")} />
      <RefusalNotice except={["start"]} />
      {allRead && (
        <div className="mb-5">
          <Notice>{t("You have read everything.")}</Notice>
        </div>
      )}
      <NewMessageForm to={to} open={writing} clientId={clientId} draft={draft} />
      <SearchIn
        label={within ? t("Search in this conversation") : t("Search in your messages")}
        hint={t("Words that were said")}
        search={search}
        keeping={{ in: within }}
        className="mb-3"
      />
      {found && <FoundMessages found={found} search={search} within={within} />}
      {!found && <InboxTabs tab={tab} />}
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <ConversationLine
              key={row.id}
              row={row}
              request={requests.find((it) => it.conversationId === row.id)}
              menu={{ to: urls.messages({ tab, menu: row.id }), open: menu === row.id }}
            />
          ))}
        </ul>
      )}
      {rows.length === 0 && !found && (
        <div className="mt-5">
          <Nothing tab={tab} />
        </div>
      )}
      {friends.length > 0 && <FriendsToWrite friends={friends} />}
      <NextPage to={next && urls.messages({ tab, after: next })} />
    </>
  );
}

function Nothing({ tab }: { tab: (typeof TABS)[number] }) {
  const t = useWords();
  if (tab === "unread") return <Empty title={t("You have read everything.")} />;
  if (tab === "groups")
    return (
      <Empty title={t("No conversations of several people yet.")}>
        {t("Put more than one user name into a new message, and all of you are in it.")}
      </Empty>
    );
  if (tab === "requests")
    return (
      <Empty title={t("No requests.")}>
        {t("The first message of somebody you do not know waits here until you accept it. They are not told whether you have read it.")}
      </Empty>
    );
  if (tab === "archived")
    return (
      <Empty title={t("Nothing is archived.")}>{t("Conversations you put aside are kept here. A new message brings them back.")}</Empty>
    );
  return <Empty title={t("No messages yet. Write to a friend.")}>{t("What is said here is between you and those you write to.")}</Empty>;
}
