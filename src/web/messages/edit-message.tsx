import type { MessageView } from "#community/conversations";
import { LIMITS } from "#community/rules";
import { ButtonLink, Composer } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { ConversationData } from "./conversation-data.ts";

/** Inline form to edit one's own message. */
export function EditMessage({
  data,
  message,
  source,
}: {
  data: ConversationData;
  message: MessageView;
  source: string;
}) {
  const t = useTranslate();
  return (
    <div id={`message-${message.seq}`} className="w-full min-w-[min(32rem,80vw)] scroll-mt-20">
      <Composer
        intent="edit"
        place={data.place}
        allowsMentions
        previews
        files={data.canSendFiles}
        label={t("Your message")}
        send={t("Save")}
        sending={t("Saving…")}
        audience={t("Everyone here sees that it was edited.")}
        most={LIMITS.message}
        draft={source}
      >
        <input type="hidden" name="messageId" value={message.id} />
      </Composer>
      <p className="mt-2">
        <ButtonLink
          kind="quiet"
          to={urls.conversation(data.conversation.id, { ...data.window, message: message.seq })}
        >
          {t("Cancel")}
        </ButtonLink>
      </p>
    </div>
  );
}
