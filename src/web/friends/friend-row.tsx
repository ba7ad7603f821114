import { useLocation } from "react-router";
import type { FriendRow } from "#community/friends";
import { ActionForm, ConfirmActionForm } from "../people/action-form.tsx";
import { MuteActions, UnmuteAction } from "../people/profile/mute-actions.tsx";
import { PersonRow } from "../people/person-row.tsx";
import { ButtonLink, LazyMenu, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";

type Props = { row: FriendRow; tab: "friends" | "received" | "sent" | "suggestions" };

export const FriendListRow = ({ row, tab }: Props) => (
  <PersonRow
    person={row}
    line={<RelationshipSummary row={row} tab={tab} />}
    note={row.note}
    actions={<FriendActions row={row} tab={tab} />}
  />
);

function RelationshipSummary({ row, tab }: Props) {
  const t = useTranslate();
  const common =
    row.mutualFriends > 0 &&
    t("{count, plural, one {# friend in common} other {# friends in common}}", { count: row.mutualFriends });
  if (tab === "suggestions")
    return row.reason === "group" && row.groupInCommon
      ? t("Also in {group}", { group: row.groupInCommon })
      : common;
  const since =
    tab === "friends" && row.seenAt ? (
      <Rich text="Last seen <0></0>" parts={{ 0: <Time at={row.seenAt} /> }} />
    ) : tab === "friends" ? (
      <Rich text="Friends since <0></0>" parts={{ 0: <Time at={row.since} /> }} />
    ) : tab === "sent" ? (
      <Rich text="Requested <0></0>" parts={{ 0: <Time at={row.since} /> }} />
    ) : (
      <Rich text="Requested <0></0>" parts={{ 0: <Time at={row.since} /> }} />
    );
  return (
    <>
      {common && <>{common} · </>}
      {since}
    </>
  );
}

function FriendActions({ row, tab }: Props) {
  const t = useTranslate();
  const who = { personId: row.id };
  const { name } = row;
  if (tab === "received")
    return (
      <>
        <ActionForm
          intent="accept"
          fields={who}
          kind="primary"
          busy={t("Accepting…")}
          label={t("Accept the request of {name}", { name })}
        >
          {t("Accept")}
        </ActionForm>
        <ActionForm
          intent="decline"
          fields={who}
          busy={t("Declining…")}
          label={t("Decline the request of {name}", { name })}
        >
          {t("Decline")}
        </ActionForm>
        <FriendMenu row={row} tab={tab} />
      </>
    );
  if (tab === "sent")
    return (
      <ActionForm
        intent="cancel"
        fields={who}
        busy={t("Cancelling…")}
        label={t("Cancel request to {name}", { name })}
      >
        {t("Cancel request")}
      </ActionForm>
    );
  if (tab === "suggestions")
    return (
      <>
        <ActionForm
          intent="send-request"
          fields={who}
          busy={t("Sending…")}
          label={t("Add friend: {name}", { name })}
        >
          <i className="icon icon-user-plus size-4" />
          {t("Add friend")}
        </ActionForm>
        <ActionForm
          intent="dismiss"
          fields={who}
          kind="quiet"
          busy={t("One moment…")}
          label={t("Not interested in {name}", { name })}
        >
          {t("Not interested")}
        </ActionForm>
      </>
    );
  return (
    <>
      <ButtonLink to={urls.messages({ to: row.username })} aria-label={t("Message {name}", { name })}>
        <i className="icon icon-message-circle size-4" />
        {t("Message", undefined, "verb")}
      </ButtonLink>
      <FriendMenu row={row} tab={tab} />
    </>
  );
}

function FriendMenu({ row, tab }: Props) {
  const t = useTranslate();
  return (
    // A changed key closes the menu after one of the menu's actions.
    <LazyMenu
      key={String(row.isMuted)}
      {...useMenuUrl(row.id)}
      label={t("Actions for {name}", { name: row.name })}
      summary={<i className="icon icon-ellipsis" />}
    >
      {() => <FriendMenuItems row={row} tab={tab} />}
    </LazyMenu>
  );
}

/**
 * URL of the same list (with its search and order) on which one person's menu is open, for browsers without
 * scripts.
 */
function useMenuUrl(personId: string): { to: string; open: boolean } {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const open = query.get("more") === personId;
  query.set("more", personId);
  return { to: `${pathname}?${query}`, open };
}

function FriendMenuItems({ row, tab }: Props) {
  const t = useTranslate();
  const { id, name } = row;
  return (
    <>
      {tab === "friends" && (
        <ConfirmActionForm
          intent="remove"
          fields={{ personId: id }}
          ask={t("Remove from friends…")}
          consequence={t("{name} is not notified. You can send a friend request again at any time.", {
            name,
          })}
          busy={t("Removing…")}
        >
          {t("Remove {name}", { name })}
        </ConfirmActionForm>
      )}
      {row.isMuted ? <UnmuteAction person={row} /> : <MuteActions person={row} />}
      <ConfirmActionForm
        intent="block"
        fields={{ personId: id }}
        ask={t("Block…")}
        consequence={t(
          "You and {name} no longer see or can message each other. A friendship, requests and invitations " +
            "between you end, and your conversation is archived. {name} is not notified.",
          {
            name,
          },
        )}
        busy={t("Blocking…")}
      >
        {t("Block {name}", { name })}
      </ConfirmActionForm>
    </>
  );
}
