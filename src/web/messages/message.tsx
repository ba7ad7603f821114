import type { MessageView } from "#community/conversations";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { Prose, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { ConversationData } from "./conversation-data.ts";
import { EditMessage } from "./edit-message.tsx";
import { MessageMenu } from "./message-menu.tsx";
import { MessageReactions } from "./message-reactions.tsx";

type Props = { data: ConversationData; message: MessageView };

/** A message with its menu, and the message that it replies to. */
export function MessageItem({ data, message }: Props) {
  const t = useTranslate();
  const { openActions, conversation } = data;
  if (openActions.edit === message.id && openActions.source !== null)
    return <EditMessage data={data} message={message} source={openActions.source} />;
  return (
    <>
      <div className={`flex max-w-full items-center gap-1 ${message.mine ? "flex-row-reverse" : ""}`}>
        <article
          id={`message-${message.seq}`}
          className={`min-w-0 scroll-mt-20 rounded-panel border px-3 py-2
            ${message.mine ? "border-transparent bg-accent-soft" : "border-line bg-surface"}`}
        >
          {message.replyTo && <RepliedMessage data={data} to={message.replyTo} />}
          {message.html !== null && <Prose html={message.html} className="message-text" />}
          {message.html === null && <p className="text-quiet">{stubText(message.stub, t)}</p>}
          <p className={`text-small text-quiet ${message.mine ? "text-end" : ""}`}>
            <ClockTime at={message.createdAt} />
            {message.editedAt && <> · {t("edited")}</>}
          </p>
        </article>
        {conversation.viewerState === "accepted" && <MessageMenu data={data} message={message} />}
      </div>
      {message.reactions.length > 0 && <MessageReactions data={data} message={message} />}
    </>
  );
}

/** Link to the message that this one replies to. */
function RepliedMessage({ data, to }: { data: ConversationData; to: NonNullable<MessageView["replyTo"]> }) {
  const t = useTranslate();
  const here = data.page.messages.some(({ seq }) => seq === to.seq);
  return (
    <Link
      to={
        here ? `#message-${to.seq}` : urls.conversation(data.conversation.id, { at: to.seq, message: to.seq })
      }
      className="mb-1 block border-s-[3px] border-line ps-2 text-small text-quiet no-underline hover:underline"
    >
      <span className="block font-semibold">{to.mine ? t("You") : (to.author?.name ?? t("Someone"))}</span>
      <span dir="auto" className="line-clamp-2">
        {to.excerpt || t("This message no longer exists.")}
      </span>
    </Link>
  );
}

function stubText(stub: MessageView["stub"], t: ReturnType<typeof useTranslate>) {
  if (stub === "deleted") return t("This message was deleted.");
  if (stub === "blocked-by-viewer") return t("Message from a blocked person.");
  return t("You cannot see this message.");
}

/** Time of day only, since the date is shown above. */
function ClockTime({ at }: { at: Date }) {
  const locale = useLocale();
  const { timeZone } = useRootData();
  const exact = dateFormat(locale, { dateStyle: "full", timeStyle: "short", timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {dateFormat(locale, { timeStyle: "short", timeZone }).format(at)}
    </time>
  );
}
