import { redirect } from "react-router";
import {
  listConversations,
  searchMessages,
  NewConversation,
  findNextUnreadConversation,
  listRequestCards,
  startConversation,
} from "#community/conversations";
import { getDraft, draftTargets } from "#community/discussions";
import { listFriends } from "#community/friends";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import {
  EmptyState,
  NextPageLink,
  Notice,
  PageHeader,
  pageMeta,
  RefusalNotice,
  ListSearch,
} from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import type { ShellHandle } from "../../layouts/default.tsx";
import { redirectWithNotice } from "../../notices/notice.ts";
import { defineAction, defineLoader, type RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/inbox-page";
import { ConversationListItem } from "./conversation-row.tsx";
import { conversationNotice, runConversationCommand } from "../conversation-commands.ts";
import { MessageSearchResults } from "./message-search-results.tsx";
import { FriendsToMessage } from "./friends-to-message.tsx";
import { InboxTabs } from "./inbox-tabs.tsx";
import { NewMessageForm } from "./new-message-form.tsx";

// The page lists the conversations itself.
export const handle: ShellHandle = { asides: "none" };

export const middleware = [requireMember];

const TABS = ["all", "unread", "groups", "requests", "archived"] as const;
const MIN_CONVERSATIONS = 3;

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const wantsUnread = readQueryParam(url, "next") === "unread";
  const unread = wantsUnread && (await findNextUnreadConversation(db, viewer, readQueryParam(url, "from")));
  if (unread) throw redirect(urls.conversation(unread.id));
  const search = readQueryParam(url, "search");
  const within = readQueryParam(url, "in", 40);
  const found =
    search || within
      ? await searchMessages(db, viewer, {
          search,
          conversationId: within,
          after: readQueryParam(url, "after", 1000),
        })
      : null;
  const tab = TABS.find((name) => name === readQueryParam(url, "tab")) ?? "all";
  const { rows, next } = found
    ? { rows: [], next: null }
    : await listConversations(db, viewer, { tab, after: readQueryParam(url, "after", 1000) });
  const requests = tab === "requests" && rows.length > 0 ? await listRequestCards(db, viewer) : [];
  const friends =
    tab === "all" && rows.length === 0 && !found
      ? (await listFriends(db, viewer, { tab: "friends" })).rows.slice(0, MIN_CONVERSATIONS)
      : [];
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
    to: readQueryParam(url, "to"),
    menu: readQueryParam(url, "menu"),
    clientId: crypto.randomUUID(),
    begins: readQueryParam(url, "begin") === "1",
    // The draft is only loaded if the URL names no recipient, because the draft may be for someone else.
    draft:
      url.searchParams.has("draft") && !readQueryParam(url, "to")
        ? await getDraft(db, viewer, draftTargets.newConversation)
        : null,
  };
});

export const action = defineAction(async ({ app, ctx, viewer, form, url }) => {
  if (form.get("intent") === "start") {
    const { id } = await app.database.inTransaction((tx) =>
      startConversation(tx, viewer, parseForm(NewConversation, form)),
    );
    return redirect(urls.conversation(id));
  }
  const intent = await app.database.inTransaction((tx) => runConversationCommand(tx, viewer, form));
  url.searchParams.delete("menu");
  return redirectWithNotice(ctx, {
    to:
      intent === "accept" ? urls.conversation(String(form.get("conversationId"))) : url.pathname + url.search,
    notice: conversationNotice(intent, form),
  });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Messages"),
  hidden: true,
}));

export default function InboxPage({
  loaderData: {
    tab,
    allRead,
    rows,
    next,
    friends,
    requests,
    search,
    within,
    found,
    to,
    menu,
    clientId,
    begins,
    draft,
  },
}: Route.ComponentProps) {
  const t = useTranslate();
  const refused = useFormResult<RejectedForm | undefined>();
  const writing =
    begins ||
    to !== "" ||
    draft !== null ||
    (refused !== undefined && "refused" in refused && refused.typed["intent"] === "start");
  return (
    <>
      <PageHeader title={t("Messages")} lead={t("Only participants can read conversations.")} />
      <RefusalNotice except={["start"]} />
      {allRead && (
        <div className="mb-5">
          <Notice>{t("You have read everything.")}</Notice>
        </div>
      )}
      <NewMessageForm to={to} open={writing} clientId={clientId} draft={draft} />
      <ListSearch
        label={within ? t("Search in this conversation") : t("Search in your messages")}
        hint={t("Search messages")}
        search={search}
        hiddenFields={{ in: within }}
        className="mb-3"
      />
      {found && <MessageSearchResults found={found} search={search} within={within} />}
      {!found && <InboxTabs tab={tab} />}
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <ConversationListItem
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
          <EmptyInbox tab={tab} />
        </div>
      )}
      {friends.length > 0 && <FriendsToMessage friends={friends} />}
      <NextPageLink to={next && urls.messages({ tab, after: next })} />
    </>
  );
}

function EmptyInbox({ tab }: { tab: (typeof TABS)[number] }) {
  const t = useTranslate();
  if (tab === "unread") return <EmptyState title={t("You have read everything.")} />;
  if (tab === "groups")
    return (
      <EmptyState title={t("No group conversations yet.")}>
        {t("Add several usernames to a new message to start a group conversation.")}
      </EmptyState>
    );
  if (tab === "requests")
    return (
      <EmptyState title={t("No requests.")}>
        {t(
          "First messages of people you do not know wait here until you accept them. They do not learn " +
            "whether you have read them.",
        )}
      </EmptyState>
    );
  if (tab === "archived")
    return (
      <EmptyState title={t("No archived conversations.")}>
        {t("Archived conversations. A new message brings them back to the inbox.")}
      </EmptyState>
    );
  return (
    <EmptyState title={t("No messages yet. Write to a friend.")}>
      {t("Only the participants can read your messages.")}
    </EmptyState>
  );
}
