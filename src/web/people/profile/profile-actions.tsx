import { Form } from "react-router";
import type { Profile } from "#community/accounts";
import { LIMITS } from "#community/rules";
import { ButtonLink, Menu, SubmitButton } from "../../ui/index.ts";
import { ShareLink } from "../../ui/menus/share-link.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ActionForm, ConfirmActionForm } from "../action-form.tsx";
import { MuteActions, UnmuteAction } from "./mute-actions.tsx";
import type { RelationshipWithPerson } from "./profile-data.ts";

type Props = { person: Profile; relationship: NonNullable<RelationshipWithPerson> };

export function ProfileActions({ person, relationship }: Props) {
  const t = useTranslate();
  const { name } = person;
  const { conversationId, canWrite } = relationship;
  return (
    <>
      <Friendship person={person} relationship={relationship} />
      {(conversationId || canWrite) && (
        <ButtonLink
          to={conversationId ? urls.conversation(conversationId) : urls.messages({ to: person.username })}
          data-compose
        >
          <i className="icon icon-message-circle size-4" />
          {t("Message", undefined, "verb")}
        </ButtonLink>
      )}
      <Menu label={t("Actions for {name}", { name })} summary={<i className="icon icon-ellipsis" />}>
        <ShareLink to={urls.person(person.id)} />
        <Link to={urls.inviteToGroup(person.id)} className="menu-item">
          {t("Invite to a group…")}
        </Link>
        {relationship.canRemovePictures && person.photoId && (
          <RemovePictureForm which="photo" ask={t("Remove photo…")} />
        )}
        {relationship.canRemovePictures && person.about?.header.id && (
          <RemovePictureForm which="header" ask={t("Remove cover…")} />
        )}
        <Link to={urls.reportPerson(person.id)} className="menu-item">
          {t("Report…")}
        </Link>
        {relationship.viewerMutes ? <UnmuteAction person={person} /> : <MuteActions person={person} />}
        <ConfirmActionForm
          intent="block"
          fields={{ personId: person.id }}
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
      </Menu>
    </>
  );
}

/** Form to remove another person's picture. It requires a reason, which that person receives. */
function RemovePictureForm({ which, ask }: { which: "photo" | "header"; ask: string }) {
  const t = useTranslate();
  return (
    <details>
      <summary className="menu-item text-red">{ask}</summary>
      <Form method="post" className="grid gap-2 px-2.5 py-2">
        <input type="hidden" name="intent" value="remove-picture" />
        <label className="grid gap-1 text-small">
          {t("Reason (sent by email)")}
          <input name="reason" required maxLength={LIMITS.reason} dir="auto" className="input" />
        </label>
        <SubmitButton kind="danger" name="which" value={which} busy={t("Removing…")}>
          {t("Remove")}
        </SubmitButton>
      </Form>
    </details>
  );
}

function Friendship({ person: { id, name }, relationship: { state, canAsk } }: Props) {
  const t = useTranslate();
  const fields = { personId: id };
  if (state === "none")
    return canAsk ? (
      <ActionForm intent="send-request" fields={fields} kind="primary" busy={t("Sending…")}>
        <i className="icon icon-user-plus size-4" />
        {t("Add friend")}
      </ActionForm>
    ) : null;
  if (state === "sent")
    return (
      <Menu kind="plain" label={t("Friend request sent")} summary={t("Request sent")}>
        <ActionForm inMenu intent="cancel" fields={fields} busy={t("Cancelling…")}>
          {t("Cancel request")}
        </ActionForm>
      </Menu>
    );
  if (state === "received")
    return (
      <>
        <ActionForm
          intent="accept"
          fields={fields}
          kind="primary"
          busy={t("Accepting…")}
          label={t("Accept the request of {name}", { name })}
        >
          {t("Accept")}
        </ActionForm>
        <ActionForm
          intent="decline"
          fields={fields}
          busy={t("Declining…")}
          label={t("Decline the request of {name}", { name })}
        >
          {t("Decline")}
        </ActionForm>
      </>
    );
  return (
    <Menu
      kind="plain"
      label={t("You are friends")}
      summary={
        <>
          <i className="icon icon-check size-4" />
          {t("Friends")}
        </>
      }
    >
      <ConfirmActionForm
        intent="remove"
        fields={fields}
        ask={t("Remove from friends…")}
        consequence={t("{name} is not notified. You can send a friend request again at any time.", { name })}
        busy={t("Removing…")}
      >
        {t("Remove {name}", { name })}
      </ConfirmActionForm>
    </Menu>
  );
}
