import type { Conversation } from "#community/conversations";
import type { Draft } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { DraftKeeper } from "../discussions/draft-keeper.tsx";
import { Act, ConfirmAct } from "../people/act.tsx";
import { Composer, Menu, Notice } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/** What stands at the end of a conversation. */
type Props = {
  conversation: Conversation;
  mayWrite: boolean;
  /** Earlier messages are being read: the end is elsewhere. */
  older: boolean;
  draft: Draft | null;
  place: string;
  clientId: string;
  /** The viewer's latest message. A new one empties the composer. */
  lastMine: string | undefined;
};

export function WriteHere({ conversation, mayWrite, older, draft, place, clientId, lastMine }: Props) {
  const t = useWords();
  const [other] = conversation.others;
  if (older) return null;
  if (conversation.viewerState === "request")
    return <Request conversation={conversation} draft={draft} place={place} clientId={clientId} />;
  if (!mayWrite) return <Notice>{t("You can no longer message this person.")}</Notice>;
  if (conversation.waiting && conversation.lastSeq > 0)
    return (
      <Notice tone="pending">
        {t("{name} has not accepted your message yet. You can write more once they do; they are not told more than that you wrote.", {
          name: other?.name ?? "",
        })}
      </Notice>
    );
  return <Write key={lastMine} conversation={conversation} draft={draft} place={place} clientId={clientId} />;
}

type Writing = Pick<Props, "conversation" | "draft" | "place" | "clientId">;

function Write({ conversation, draft, place, clientId }: Writing) {
  const t = useWords();
  return (
    <Composer
      intent="send"
      label={t("Write a message")}
      send={t("Send")}
      sending={t("Sending…")}
      audience={<Audience conversation={conversation} />}
      most={LIMITS.message}
      draft={draft?.body}
    >
      <input type="hidden" name="clientId" value={clientId} />
      <DraftKeeper place={place} draft={draft} />
    </Composer>
  );
}

function Audience({ conversation: { others, kind } }: { conversation: Conversation }) {
  const t = useWords();
  if (kind === "direct" && others[0]) return <>{t("Between you and {name}", { name: others[0].name })}</>;
  return <>{t("{count, plural, one {Between you and one other} other {Between you and # others}}", { count: others.length })}</>;
}

function Request(writing: Writing) {
  const t = useWords();
  const { conversation } = writing;
  const [other] = conversation.others;
  const name = other?.name ?? t("Former member");
  const fields = { conversationId: conversation.id };
  return (
    <div className="grid gap-4">
      <Notice tone="pending">
        <p>{t("{name} would like to write to you. They are not told whether you have read this. Answering accepts.", { name })}</p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Act intent="accept" fields={fields} kind="primary" busy={t("Accepting…")}>
            {t("Accept")}
          </Act>
          <Act intent="delete" fields={fields} busy={t("Deleting…")}>
            {t("Delete")}
          </Act>
          {other && (
            <Menu label={t("More about {name}", { name })} summary={<span aria-hidden>⋯</span>}>
              <ConfirmAct
                intent="block"
                fields={{ ...fields, personId: other.id }}
                ask={t("Block…")}
                consequence={t("You no longer see each other, nor can you write to each other. {name} is not told.", { name })}
                busy={t("Blocking…")}
              >
                {t("Yes, block {name}", { name })}
              </ConfirmAct>
            </Menu>
          )}
        </div>
      </Notice>
      <Write {...writing} />
    </div>
  );
}
