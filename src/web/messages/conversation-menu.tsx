import type { Conversation, ConversationRow } from "#community/conversations";
import { ActionForm, ConfirmActionForm } from "../people/action-form.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

type ConversationFacts = Pick<
  Conversation | ConversationRow,
  "id" | "kind" | "muted" | "archived" | "others"
>;

/** Menu items of a conversation: mute, mark as read, archive, and leave or block. */
export function ConversationMenuItems({ id, kind, muted, archived, others }: ConversationFacts) {
  const t = useTranslate();
  const fields = { conversationId: id };
  const busy = t("One moment…");
  const [other] = others;
  return (
    <>
      <ActionForm inMenu intent="unread" fields={fields} busy={busy}>
        {t("Mark as unread")}
      </ActionForm>
      {muted ? (
        <ActionForm inMenu intent="unmute" fields={fields} busy={busy}>
          {t("Unmute")}
        </ActionForm>
      ) : (
        <MuteItems fields={fields} />
      )}
      {archived ? (
        <ActionForm inMenu intent="unarchive" fields={fields} busy={busy}>
          {t("Back to inbox")}
        </ActionForm>
      ) : (
        <ActionForm inMenu intent="archive" fields={fields} busy={busy}>
          {t("Archive")}
        </ActionForm>
      )}
      {kind === "group" && (
        <ConfirmActionForm
          intent="leave"
          fields={fields}
          ask={t("Leave…")}
          consequence={t("The others are not notified. You will not see new messages.")}
          busy={t("Leaving…")}
        >
          {t("Leave")}
        </ConfirmActionForm>
      )}
      <Link to={urls.messages({ in: id })} className="menu-item">
        {t("Search here…")}
      </Link>
      <Link to={urls.sentAlong(id)} className="menu-item">
        {t("Pictures and files")}
      </Link>
      <Link to={urls.reportMessages(id)} className="menu-item">
        {t("Report…")}
      </Link>
      {kind === "direct" && other && (
        <ConfirmActionForm
          intent="block"
          fields={{ ...fields, personId: other.id }}
          ask={t("Block…")}
          consequence={t(
            "You and {name} no longer see or can message each other. A friendship, requests and invitations " +
              "between you end, and your conversation is archived. {name} is not notified.",
            {
              name: other.name,
            },
          )}
          busy={t("Blocking…")}
        >
          {t("Block {name}", { name: other.name })}
        </ConfirmActionForm>
      )}
    </>
  );
}

function MuteItems({ fields }: { fields: Record<string, string> }) {
  const t = useTranslate();
  const spans = {
    hour: t("Mute for an hour"),
    evening: t("Mute for 8 hours"),
    week: t("Mute for a week"),
    always: t("Mute until I turn it back on"),
  };
  return Object.entries(spans).map(([span, words]) => (
    <ActionForm key={span} inMenu intent="mute" fields={{ ...fields, span }} busy={t("One moment…")}>
      {words}
    </ActionForm>
  ));
}
