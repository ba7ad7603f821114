import { useEffect } from "react";
import type { Conversation, MessageView } from "#community/conversations";
import { LIMITS } from "#community/rules";
import { DraftSaver } from "../discussions/drafts/draft-saver.tsx";
import { ReadOnlyDraft } from "../discussions/replies/read-only-text.tsx";
import { ActionForm, ConfirmActionForm } from "../people/action-form.tsx";
import { ButtonLink, Composer, Menu, Notice } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { type PostInput, readPostInput } from "../composer/use-unsent-posts.ts";
import type { ConversationData } from "./conversation-data.ts";
import { DeleteRequest } from "./inbox/delete-request.tsx";
import { TypingIndicator } from "./typing-indicator.tsx";

type Props = { data: ConversationData; send: (input: PostInput) => void };

/** The composer at the end of a conversation, or the reason why the viewer cannot write. */
export function ConversationComposer({ data, send }: Props) {
  const t = useTranslate();
  const { conversation, canWrite } = data;
  const [other] = conversation.others;
  if (conversation.viewerState === "request") return <RequestNotice data={data} send={send} />;
  if (!canWrite)
    return (
      <>
        <Notice>{t("You can no longer message this person.")}</Notice>
        <ReadOnlyDraft draft={data.draft} />
      </>
    );
  if (conversation.waiting && conversation.lastSeq > 0)
    return (
      <>
        <Notice tone="pending">
          {t("{name} has not accepted your message yet. You can write more once they do.", {
            name: other?.name ?? "",
          })}
        </Notice>
        <ReadOnlyDraft draft={data.draft} />
      </>
    );
  return <MessageComposer data={data} send={send} />;
}

function MessageComposer({ data, send }: Props) {
  const t = useTranslate();
  const { conversation, draft, place, clientId, page, openActions } = data;
  const answered = page.messages.find(({ id }) => id === openActions.reply);
  const answeredId = answered?.id;
  useEffect(() => {
    if (answeredId) document.querySelector<HTMLElement>("#write textarea")?.focus({ preventScroll: true });
  }, [answeredId]);
  return (
    <div id="write" className="scroll-mb-4">
      <Composer
        intent="send"
        place={place}
        allowsMentions
        files={data.canSendFiles}
        label={t("Write a message")}
        send={t("Send")}
        sending={t("Sending…")}
        audience={<AudienceNote conversation={conversation} />}
        most={LIMITS.message}
        draft={draft?.body}
        onSend={(form) => send(readPostInput(form))}
      >
        <input type="hidden" name="clientId" value={clientId} />
        {answered && <ReplyTarget data={data} to={answered} />}
        <DraftSaver target={place} draft={draft} />
      </Composer>
    </div>
  );
}

function ReplyTarget({ data, to }: { data: ConversationData; to: MessageView }) {
  const t = useTranslate();
  const name = to.mine ? t("You") : (to.author?.name ?? t("Someone"));
  return (
    <div className="mb-2 flex items-center gap-2 rounded-control bg-sunken px-3 py-1 text-small">
      <input type="hidden" name="replyTo" value={to.id} />
      <p className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{t("Reply to {name}", { name })}</span>
        <span dir="auto" className="block truncate text-quiet">
          {data.quoted}
        </span>
      </p>
      <Link
        to={urls.conversation(data.conversation.id, data.window)}
        preventScrollReset
        className="inline-flex size-7 items-center justify-center text-quiet"
        aria-label={t("Cancel reply")}
      >
        <i className="icon icon-x size-4" />
      </Link>
    </div>
  );
}

function AudienceNote({ conversation }: { conversation: Conversation }) {
  return conversation.showsReading ? (
    <TypingIndicator conversation={conversation} quiet={<BlockedNotice conversation={conversation} />} />
  ) : (
    <BlockedNotice conversation={conversation} />
  );
}

function BlockedNotice({ conversation: { others, kind } }: { conversation: Conversation }) {
  const t = useTranslate();
  if (kind === "direct" && others[0]) return <>{t("Only you and {name}", { name: others[0].name })}</>;
  return (
    <>
      {t("{count, plural, one {Only you and # other} other {Only you and # others}}", {
        count: others.length,
      })}
    </>
  );
}

function RequestNotice({ data, send }: Props) {
  const t = useTranslate();
  const { conversation } = data;
  const [other] = conversation.others;
  const name = other?.name ?? t("Former member");
  const fields = { conversationId: conversation.id };
  return (
    <div className="grid gap-4">
      <Notice tone="pending">
        <p>
          {t(
            "{name} wants to message you. They do not learn whether you have read this. Replying " +
              "accepts the request.",
            {
              name,
            },
          )}
        </p>
        {conversation.kind === "group" && (
          <p className="mt-1">{t("You see only one message until you accept the request.")}</p>
        )}
        <div className="mt-3 flex flex-wrap gap-2">
          <ActionForm intent="accept" fields={fields} kind="primary" busy={t("Accepting…")}>
            {t("Accept")}
          </ActionForm>
          <DeleteRequest {...fields} name={name} />
          <ButtonLink to={urls.reportMessages(conversation.id)}>{t("Report…")}</ButtonLink>
          {other && (
            <Menu label={t("Actions for {name}", { name })} summary={<i className="icon icon-ellipsis" />}>
              <ConfirmActionForm
                intent="block"
                fields={{ ...fields, personId: other.id }}
                ask={t("Block…")}
                consequence={t(
                  "You and {name} no longer see or can message each other. A friendship, requests and invitations " +
                    "between you end, and your conversation is archived. {name} is not notified.",
                  { name },
                )}
                busy={t("Blocking…")}
              >
                {t("Block {name}", { name })}
              </ConfirmActionForm>
            </Menu>
          )}
        </div>
      </Notice>
      <MessageComposer data={data} send={send} />
    </div>
  );
}
