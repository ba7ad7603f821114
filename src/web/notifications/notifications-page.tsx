import { z } from "zod";
import {
  allowSenders,
  muteNotificationSource,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  markNotificationsSeen,
  markNotificationUnread,
} from "#community/notifications";
import { NOTIFICATION_TABS, notificationRules, type NotificationTab } from "#community/rules";
import { msg } from "#platform/messages";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import { ActionForm } from "../people/action-form.tsx";
import {
  ButtonLink,
  EmptyState,
  NextPageLink,
  PageHeader,
  pageMeta,
  RefusalNotice,
  Tabs,
  useRootData,
} from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { type Notice, redirectWithNotice } from "../notices/notice.ts";
import { undoAction } from "../notices/undo-commands.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/notifications-page";
import { NotificationRow } from "./notification-row.tsx";
import { useLiveNotifications } from "./use-live-notifications.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, db, viewer, url }) => {
  const tab = NOTIFICATION_TABS.find((name) => name === readQueryParam(url, "tab")) ?? "all";
  const after = readQueryParam(url, "after", 200) || undefined;
  const page = await listNotifications(db, viewer, { tab, after });
  await app.database.inTransaction((tx) => markNotificationsSeen(tx, viewer));
  return {
    ...page,
    tab,
    after,
    more: readQueryParam(url, "more", 40),
    announces: notificationRules.announce(viewer, null),
  };
});

const NOTIFICATION_COMMANDS = {
  read: markNotificationRead,
  unread: markNotificationUnread,
  mute: muteNotificationSource,
  "allow-senders": allowSenders,
};
const CommandInput = z.object({ intent: z.enum(["read", "unread", "mute", "allow-senders"]), id: z.uuid() });

export const action = defineAction(async ({ app, ctx, viewer, form, url }) => {
  // The undo of any notice: it needs no page of its own, since it returns to the page where the viewer was.
  if (form.get("intent") === "undo")
    return redirectWithNotice(ctx, await undoAction(app.database, viewer, form));
  const all = form.get("intent") === "read-all";
  const command = all ? null : parseForm(CommandInput, form);
  await app.database.inTransaction((tx) =>
    command
      ? NOTIFICATION_COMMANDS[command.intent](tx, viewer, command)
      : markAllNotificationsRead(tx, viewer),
  );
  url.searchParams.delete("more");
  return redirectWithNotice(ctx, {
    to: url.pathname + url.search,
    notice: command ? createNotice(command) : undefined,
  });
});

function createNotice({ intent, id }: z.output<typeof CommandInput>): Notice | undefined {
  if (intent === "read")
    return { message: msg("Marked as read."), undo: { command: "mark-unread", fields: { id } } };
  if (intent === "unread")
    return { message: msg("Marked as unread."), undo: { command: "mark-read", fields: { id } } };
  return undefined;
}

export const meta = pageMeta((_data, t) => ({ title: t("Notifications"), hidden: true }));

export default function Notifications({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const { rows, next, tab, more, announces } = useLiveNotifications(loaderData);
  const labels = {
    all: t("All"),
    unread: t("Unread"),
    mentions: t("Mentions"),
    requests: t("Requests"),
    apart: t("Filtered notifications"),
  };
  const to = (name: string) => urls.notifications({ tab: name === "all" ? undefined : name });
  return (
    <>
      <PageHeader
        title={t("Notifications")}
        actions={
          <>
            {rows.some((row) => row.unread) && tab !== "apart" && (
              <ActionForm intent="read-all" fields={{}} busy={t("One moment…")}>
                {t("Mark all as read")}
              </ActionForm>
            )}
            {announces && (
              <ButtonLink to={urls.newAnnouncement()} data-compose>
                {t("Send announcement")}
              </ButtonLink>
            )}
            {me && (
              <Link to={urls.settings(me.id, "notifications", "notify")} className="button" data-kind="quiet">
                {t("Notification settings")}
              </Link>
            )}
          </>
        }
      />
      <RefusalNotice />
      <Tabs
        label={t("Filter notifications")}
        wraps="always"
        tabs={NOTIFICATION_TABS.map((name) => ({ to: to(name), label: labels[name], current: name === tab }))}
      />
      {rows.length === 0 && <NoNotifications tab={tab} />}
      <ul className="mt-2" aria-label={labels[tab]}>
        {rows.map((line) => (
          <NotificationRow key={line.id} row={line} tab={tab} open={more === line.id} />
        ))}
      </ul>
      <NextPageLink to={next && urls.notifications({ tab: tab === "all" ? undefined : tab, after: next })} />
    </>
  );
}

function NoNotifications({ tab }: { tab: NotificationTab }) {
  const t = useTranslate();
  return (
    <div className="mt-4">
      <EmptyState title={EMPTY_TEXTS[tab](t)}>
        {tab === "apart"
          ? t("In the settings you can filter notifications from strangers and new members into this folder.")
          : t("Replies, mentions and messages appear here.")}
      </EmptyState>
    </div>
  );
}

type TranslateText = ReturnType<typeof useTranslate>;
const EMPTY_TEXTS = {
  all: (t: TranslateText) => t("No notifications yet."),
  unread: (t: TranslateText) => t("You have read everything."),
  mentions: (t: TranslateText) => t("No mentions yet."),
  requests: (t: TranslateText) => t("No open requests."),
  apart: (t: TranslateText) => t("No filtered notifications."),
};
