import { useFetcher } from "react-router";
import type { MessageView } from "#community/conversations";
import { conversationRules } from "#community/rules";
import { ConfirmActionForm } from "../people/action-form.tsx";
import { LazyMenu } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import type { RejectedForm } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { ConversationData } from "./conversation-data.ts";
import { ReactionFields } from "./message-reactions.tsx";
import { useReactionNames } from "../discussions/posts/reaction-buttons.tsx";
import { useViewer } from "./use-viewer.ts";

/** Menu of a message: react, reply, hide it; for ten minutes, edit or delete one's own. */
export function MessageMenu({ data, message }: { data: ConversationData; message: MessageView }) {
  const t = useTranslate();
  const { viewer, now } = useViewer();
  const { conversation, window, openActions } = data;
  const to = (what: string) =>
    urls.conversationDoing(conversation.id, message.seq, window, { [what]: message.id });
  const can = (rule: "edit" | "takeBack") => conversationRules[rule](viewer, conversation, message, now);
  const fields = { messageId: message.id };
  return (
    <LazyMenu
      to={to("more")}
      open={openActions.more === message.id}
      label={t("More for message {number}", { number: message.seq })}
      summary={<i className="icon icon-ellipsis" />}
      className={`message-menu ${message.mine ? "" : "menu-start"}`}
    >
      {(close) => (
        <span className="contents" onSubmit={close}>
          {conversationRules.react(viewer, conversation, message) && <ReactWith message={message} />}
          {data.canWrite && (
            <Link to={to("reply")} className="menu-item" preventScrollReset onClick={close}>
              <i className="icon icon-corner-up-left size-4 rtl:-scale-x-100" />
              {t("Reply")}
            </Link>
          )}
          {can("edit") && (
            <Link to={to("edit")} className="menu-item" preventScrollReset onClick={close}>
              <i className="icon icon-pencil size-4" />
              {t("Edit")}
            </Link>
          )}
          {can("takeBack") && (
            <ConfirmActionForm
              intent="delete-message"
              fields={fields}
              ask={
                <>
                  <i className="icon icon-undo-2 size-4 rtl:-scale-x-100" />
                  {t("Delete for everyone…")}
                </>
              }
              consequence={t("The text is deleted for everyone. A placeholder stays.")}
              busy={t("Deleting…")}
            >
              {t("Delete")}
            </ConfirmActionForm>
          )}
          {!message.mine && (
            <Link to={urls.reportMessages(conversation.id, { message: message.id })} className="menu-item">
              <i className="icon icon-flag size-4" />
              {t("Report…")}
            </Link>
          )}
          <ConfirmActionForm
            intent="hide"
            fields={fields}
            ask={
              <>
                <i className="icon icon-eye-off size-4" />
                {t("Delete for me…")}
              </>
            }
            consequence={
              message.mine
                ? t("Your message is deleted for you and cannot be restored. Others can still read it.")
                : t(
                    "The message of {name} is deleted for you and cannot be restored. Others can still read it.",
                    {
                      name: message.author?.name ?? t("Former member"),
                    },
                  )
            }
            busy={t("One moment…")}
          >
            {t("Delete for me")}
          </ConfirmActionForm>
        </span>
      )}
    </LazyMenu>
  );
}

function ReactWith({ message }: { message: MessageView }) {
  const names = useReactionNames();
  const fetcher = useFetcher<RejectedForm | null>();
  return (
    <fetcher.Form method="post" className="flex">
      <ReactionFields intent="react" message={message} />
      {Object.entries(names).map(([emoji, name]) => (
        <button
          key={emoji}
          type="submit"
          name="emoji"
          value={emoji}
          aria-label={name}
          className="size-10 rounded-control text-large hover:bg-sunken"
        >
          {emoji}
        </button>
      ))}
    </fetcher.Form>
  );
}
