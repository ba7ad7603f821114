import type { ConversationRow, RequestCard } from "#community/conversations";
import { conversationName } from "../../layouts/messages-sidebar.tsx";
import { ActionForm, ConfirmActionForm } from "../../people/action-form.tsx";
import { dateFormat, numberFormat } from "../../ui/text/intl-formats.ts";
import { Avatar, ButtonLink, CountBadge, LazyMenu, Menu, Prose, Time, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { DeleteRequest } from "./delete-request.tsx";
import { ConversationMenuItems } from "../conversation-menu.tsx";
import { LastMessage } from "./last-message.tsx";

type ConversationRowProps = {
  row: ConversationRow;
  request: RequestCard | undefined;
  menu: { to: string; open: boolean };
};

/** A conversation in the inbox. */
export function ConversationListItem({ row, request, menu }: ConversationRowProps) {
  const t = useTranslate();
  const locale = useLocale();
  const name = conversationName(row, t("Only you"));
  const lastMessage = getLastMessage(row);
  return (
    <li
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line last:border-b-0"
      data-item
    >
      <Link
        to={urls.conversation(row.id)}
        className="flex min-w-0 flex-1 basis-52 items-center gap-3 rounded-control py-3 text-ink no-underline
          hover:bg-sunken"
        data-unread={(row.unread > 0 && !row.muted && !row.isRequest) || undefined}
      >
        <ConversationAvatars row={row} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span dir="auto" className={`truncate ${row.unread ? "font-semibold" : ""}`}>
              {name}
            </span>
            {!row.name && row.othersCount > row.others.length && (
              <span className="flex-none text-small text-quiet">
                {t("and {count} more", {
                  count: numberFormat(locale).format(row.othersCount - row.others.length),
                })}
              </span>
            )}
            {row.muted && (
              <i
                role="img"
                aria-label={t("Muted")}
                className="icon icon-bell-off size-3.5 self-center text-quiet"
              />
            )}
            <span className="ms-auto flex-none text-small text-quiet">
              <Time at={row.lastMessageAt} />
            </span>
          </span>
          <span className="flex items-center gap-2">
            <LastMessage {...lastMessage} className={`flex-1 ${row.unread ? "" : "text-quiet"}`} />
            {row.unread > 0 && <CountBadge n={row.unread} fresh of={t("unread")} />}
          </span>
        </span>
      </Link>
      {row.isRequest ? (
        <>
          {request && <RequestDetails request={request} />}
          <RequestActions row={row} name={name} />
        </>
      ) : (
        <LazyMenu
          {...menu}
          label={t("Actions for {name}", { name })}
          summary={<i className="icon icon-ellipsis" />}
        >
          {(close) => (
            <span className="contents" onSubmit={close}>
              <ConversationMenuItems {...row} />
            </span>
          )}
        </LazyMenu>
      )}
    </li>
  );
}

function getLastMessage({ last, kind }: ConversationRow) {
  if (!last) return { by: null, words: "" };
  return { by: kind === "group" || last.by === "viewer" ? last.by : null, words: last.excerpt };
}

/** One photo, or two that overlap in a group conversation. */
function ConversationAvatars({ row: { others } }: { row: ConversationRow }) {
  const [first, second] = others;
  if (!first) return <span className="size-12 flex-none rounded-full bg-sunken" aria-hidden />;
  if (!second) return <Avatar person={first} size={48} />;
  return (
    <span className="relative size-12 flex-none">
      <span className="absolute start-0 top-0">
        <Avatar person={first} size={32} />
      </span>
      <span className="absolute bottom-0 end-0 rounded-full ring-2 ring-paper">
        <Avatar person={second} size={32} />
      </span>
    </span>
  );
}

/** A message request's text, and facts about its sender. */
function RequestDetails({ request: { html, since, staff, groupsInCommon } }: { request: RequestCard }) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  const shared = groupsInCommon.map(({ name }) => name).join(", ");
  return (
    <div className="w-full">
      <Prose html={html} className="message-text" />
      <p className="mt-1 text-small text-quiet">
        {staff && <strong className="text-accent">{t("Staff")} · </strong>}
        {t("Joined {month}", {
          month: dateFormat(locale, { month: "long", year: "numeric", timeZone }).format(since),
        })}{" "}
        · {shared ? t("Groups in common: {groups}", { groups: shared }) : t("No groups in common")}
      </p>
    </div>
  );
}

function RequestActions({ row, name }: { row: ConversationRow; name: string }) {
  const t = useTranslate();
  const fields = { conversationId: row.id };
  const sender = row.others[0];
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3 phone:pb-0">
      <ActionForm
        intent="accept"
        fields={fields}
        kind="primary"
        busy={t("Accepting…")}
        label={t("Accept message request of {name}", { name })}
      >
        {t("Accept")}
      </ActionForm>
      <DeleteRequest {...fields} name={name} />
      <ButtonLink to={urls.reportMessages(row.id)}>{t("Report…")}</ButtonLink>
      {sender && (
        <Menu
          label={t("Actions for {name}", { name: sender.name })}
          summary={<i className="icon icon-ellipsis" />}
        >
          <ConfirmActionForm
            intent="block"
            fields={{ ...fields, personId: sender.id }}
            ask={t("Block…")}
            consequence={t(
              "You and {name} no longer see or can message each other. A friendship, requests and invitations " +
                "between you end, and your conversation is archived. {name} is not notified.",
              { name: sender.name },
            )}
            busy={t("Blocking…")}
          >
            {t("Block {name}", { name: sender.name })}
          </ConfirmActionForm>
        </Menu>
      )}
    </div>
  );
}
