import { redirect } from "react-router";
import { z } from "zod";
import {
  letSendersOut,
  muteNotified,
  notificationsOf,
  readAllNotifications,
  readNotification,
  seeNotifications,
  unreadNotification,
} from "#community/notifications";
import { NOTIFICATION_TABS, notificationRules, type NotificationTab } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { Act } from "../people/act.tsx";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, RefusalNotice, Tabs, useRoot } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/notifications";
import { Line } from "./line.tsx";
import { useFreshLines } from "./use-fresh-lines.ts";

export const middleware = [membersOnly];

export const loader = reading(async ({ house, db, viewer, url }) => {
  const tab = NOTIFICATION_TABS.find((name) => name === asked(url, "tab")) ?? "all";
  const after = asked(url, "after", 200) || undefined;
  const page = await notificationsOf(db, viewer, { tab, after });
  await house.database.inTransaction((tx) => seeNotifications(tx, viewer));
  return { ...page, tab, after, more: asked(url, "more", 40), announces: notificationRules.announce(viewer, null) };
});

const VERBS = { read: readNotification, unread: unreadNotification, mute: muteNotified, "let-out": letSendersOut };
const Deed = z.object({ intent: z.enum(["read", "unread", "mute", "let-out"]), id: z.uuid() });

export const action = acting(async ({ house, viewer, form, url }) => {
  const all = form.get("intent") === "read-all";
  const deed = all ? null : parseForm(Deed, form);
  await house.database.inTransaction((tx) => (deed ? VERBS[deed.intent](tx, viewer, deed) : readAllNotifications(tx, viewer)));
  url.searchParams.delete("more");
  return redirect(url.pathname + url.search);
});

export const meta = pageMeta((_data, t) => ({ title: t("Notifications"), hidden: true }));

export default function Notifications({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { me } = useRoot();
  const { rows, next, tab, more, announces } = useFreshLines(loaderData);
  const labels = {
    all: t("All"),
    unread: t("Unread"),
    mentions: t("Mentions"),
    requests: t("Requests"),
    apart: t("Set apart"),
  };
  const to = (name: string) => urls.notifications({ tab: name === "all" ? undefined : name });
  return (
    <>
      <PageHead
        title={t("Notifications")}
        actions={
          <>
            {rows.some((row) => row.unread) && tab !== "apart" && (
              <Act intent="read-all" fields={{}} busy={t("One moment…")}>
                {t("Mark all as read")}
              </Act>
            )}
            {announces && (
              <ButtonLink to={urls.newAnnouncement()} data-compose>
                {t("Tell everybody something")}
              </ButtonLink>
            )}
            {me && (
              <Link to={urls.settings(me.id, "notify")} className="button" data-kind="quiet">
                {t("Choose what you hear of")}
              </Link>
            )}
          </>
        }
      />
      <RefusalNotice />
      <Tabs
        label={t("Which notifications")}
        wraps
        tabs={NOTIFICATION_TABS.map((name) => ({ to: to(name), label: labels[name], current: name === tab }))}
      />
      {rows.length === 0 && <Nothing tab={tab} />}
      <ul className="mt-2" aria-label={labels[tab]}>
        {rows.map((line) => (
          <Line key={line.id} line={line} tab={tab} open={more === line.id} />
        ))}
      </ul>
      <NextPage to={next && urls.notifications({ tab: tab === "all" ? undefined : tab, after: next })} />
    </>
  );
}

function Nothing({ tab }: { tab: NotificationTab }) {
  const t = useWords();
  return (
    <div className="mt-4">
      <Empty title={EMPTY[tab](t)}>
        {tab === "apart"
          ? t("In your settings you can have strangers and newcomers stand here, where they neither ring nor send mail.")
          : t("When somebody answers you, names you or writes to you, it stands here.")}
      </Empty>
    </div>
  );
}

type Words = ReturnType<typeof useWords>;
const EMPTY = {
  all: (t: Words) => t("Nothing has happened yet."),
  unread: (t: Words) => t("You have seen everything."),
  mentions: (t: Words) => t("Nobody has named you yet."),
  requests: (t: Words) => t("Nobody waits for an answer."),
  apart: (t: Words) => t("Nobody stands apart."),
};
