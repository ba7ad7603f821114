import { useFetcher } from "react-router";
import type { MessageView } from "#community/conversations";
import { conversationRules } from "#community/rules";
import { listFormat } from "../ui/text/intl-formats.ts";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import type { RejectedForm } from "../request-context.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { ConversationData } from "./conversation-data.ts";
import { useReactionNames } from "../discussions/posts/reaction-buttons.tsx";
import { useViewer } from "./use-viewer.ts";

/** Hidden fields of a form that reacts to a message. */
export function ReactionFields({ intent, message }: { intent: "react" | "unreact"; message: MessageView }) {
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="messageId" value={message.id} />
      {useHydrated() && <input type="hidden" name="fetched" value="1" />}
    </>
  );
}

/**
 * Reactions to a message with counts and names; the viewer's own are shown as pressed. Changes are shown
 * immediately and sent in the background.
 */
export function MessageReactions({
  data: { conversation },
  message,
}: {
  data: ConversationData;
  message: MessageView;
}) {
  const { viewer } = useViewer();
  const fetcher = useFetcher<RejectedForm | null>();
  const can = conversationRules.react(viewer, conversation, message);
  return (
    <div className="flex flex-wrap gap-1">
      {withPending(message.reactions, fetcher.formData).map((reaction) => (
        <fetcher.Form key={reaction.emoji} method="post">
          <ReactionFields intent={reaction.mine ? "unreact" : "react"} message={message} />
          <ReactionButton reaction={reaction} canReact={can} />
        </fetcher.Form>
      ))}
      {fetcher.data?.refused && (
        <p role="alert" className="fault">
          {fetcher.data.refused.message}
        </p>
      )}
    </div>
  );
}

type Reaction = MessageView["reactions"][number];

function ReactionButton({
  reaction: { emoji, count, mine, names },
  canReact,
}: {
  reaction: Reaction;
  canReact: boolean;
}) {
  const t = useTranslate();
  const locale = useLocale();
  const name = useReactionNames()[emoji] ?? emoji;
  const people = listFormat(locale).format(names);
  const words = t("{reaction}: {count, plural, one {# person} other {# people}}", { reaction: name, count });
  const look = { className: "pill", title: people, "aria-label": people ? `${words} (${people})` : words };
  return canReact ? (
    <button type="submit" name="emoji" value={emoji} aria-pressed={mine} {...look}>
      {emoji} {count}
    </button>
  ) : (
    <span role="img" {...look}>
      {emoji} {count}
    </span>
  );
}

/** The reactions including the one being submitted. */
function withPending(reactions: Reaction[], sent: FormData | undefined): Reaction[] {
  const emoji = sent?.get("emoji");
  const known = reactions.find((reaction) => reaction.emoji === emoji);
  const adding = sent?.get("intent") === "react";
  if (!known || known.mine === adding) return reactions;
  return reactions
    .map((it) => (it === known ? { ...it, mine: adding, count: it.count + (adding ? 1 : -1) } : it))
    .filter((it) => it.count > 0);
}
