import type { NotificationItem } from "#community/notifications";
import { CollapsedByFilter } from "../discussions/posts/collapsed-post.tsx";
import { ActionForm } from "../people/action-form.tsx";
import { Avatar, LazyMenu, Time, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTitleAttributes, useTranslate } from "../i18n/index.ts";
import { useNotificationStatement, useNotificationText } from "./notification-text.ts";
import { useNotificationReason } from "./notification-reason.ts";

type Props = {
  row: NotificationItem;
  tab: string;
  /** Whether the menu is open, for browsers without scripts. */
  open: boolean;
};

/** The sentence, in which the title of a discussion or resource has its language. */
function SentenceWithTitle({ sentence, object }: { sentence: string; object: NotificationItem["object"] }) {
  const titleAttributes = useTitleAttributes();
  const { title, language } = object;
  // The title is between marks that isolate its direction.
  const [before = "", after] = language ? sentence.split(`\u2068${title}\u2069`, 2) : [];
  if (!language || after === undefined) return sentence;
  return (
    <>
      {before}
      <bdi {...titleAttributes(language, title)}>{title}</bdi>
      {after}
    </>
  );
}

/** A notification: its text, time and reason, and its menu. */
export function NotificationRow({ row, tab, open }: Props) {
  const t = useTranslate();
  const { me } = useRootData();
  const sentence = useNotificationText()(row);
  const statement = useNotificationStatement()(row);
  const why = useNotificationReason()(row, me?.id ?? "");
  const [first] = row.actors;
  const said = (
    <p className={`break-words ${row.unread ? "font-[550]" : ""}`}>
      <Link to={urls.notification(row.id)} className="text-ink" dir="auto">
        <SentenceWithTitle sentence={sentence} object={row.object} />
      </Link>
      {row.unread && <span className="sr-only"> ({t("unread")})</span>}
      {row.words && (
        <span dir="auto" className="block text-quiet">
          {row.words}
        </span>
      )}
      {statement && <span className="block text-small text-quiet">{statement}</span>}
    </p>
  );
  return (
    <li
      className={`flex items-start gap-3 border-b border-line px-2 py-3 last:border-b-0
        ${row.unread ? "rounded-control bg-accent-soft" : ""}`}
      data-item
      data-unread={row.unread || undefined}
    >
      {first ? <Avatar person={first} size={36} /> : <i className="icon icon-bell m-2 size-5 text-quiet" />}
      <div className="min-w-0 flex-1">
        {row.foldedFor === undefined ? (
          said
        ) : (
          <CollapsedByFilter phrase={row.foldedFor}>{said}</CollapsedByFilter>
        )}
        <p className="mt-0.5 text-small break-words text-quiet">
          <Time at={row.at} />
          {row.group && row.object.kind !== "group" && (
            <>
              {" · "}
              <bdi>{row.group.name}</bdi>
            </>
          )}
          {why.words && <> · {why.words}</>}
          {why.change && (
            <>
              {" · "}
              <Link to={why.change} aria-label={t("Settings: {what}", { what: sentence })}>
                {t("Settings")}
              </Link>
            </>
          )}
        </p>
        {tab === "apart" && (
          <div className="mt-2 flex flex-wrap gap-2">
            <ActionForm
              intent="allow-senders"
              fields={{ id: row.id }}
              busy={t("One moment…")}
              label={t("Stop filtering: {what}", { what: sentence })}
            >
              {t("Stop filtering")}
            </ActionForm>
          </div>
        )}
      </div>
      <LazyMenu
        // A changed key closes the menu after one of the menu's actions.
        key={String(row.unread)}
        label={t("Actions: {what}", { what: sentence })}
        summary={<i className="icon icon-ellipsis" />}
        to={urls.notifications({ tab: tab === "all" ? undefined : tab, more: row.id })}
        open={open}
      >
        {() => <NotificationActions row={row} />}
      </LazyMenu>
    </li>
  );
}

/** Whether the notification was sent to members of the group. */
const isSentToMembers = ({ group, reason, detail }: NotificationItem) =>
  group !== null && (reason === "member" || reason === "you_lead" || detail === "join_approved");

function NotificationActions({ row }: { row: NotificationItem }) {
  const t = useTranslate();
  const fields = { id: row.id };
  const mute = {
    discussion: t("Mute discussion"),
    conversation: t("Mute conversation"),
    // Only members can mute a group.
    group: isSentToMembers(row) ? t("Mute group") : null,
    resource: t("Mute resource"),
    person: null,
    announcement: null,
    date_poll: null,
    report: null,
    event: null,
    search: t("Turn off alerts of this search"),
  }[row.object.kind];
  return (
    <>
      {row.unread ? (
        <ActionForm inMenu intent="read" fields={fields} busy={t("One moment…")}>
          {t("Mark as read")}
        </ActionForm>
      ) : (
        <ActionForm inMenu intent="unread" fields={fields} busy={t("One moment…")}>
          {t("Mark as unread")}
        </ActionForm>
      )}
      {mute && (
        <ActionForm inMenu intent="mute" fields={fields} busy={t("One moment…")}>
          {mute}
        </ActionForm>
      )}
    </>
  );
}
