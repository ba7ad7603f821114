import { type MouseEvent, useEffect, useState } from "react";
import { Form, useFetcher } from "react-router";
import type { PostView } from "#community/discussions";
import { LazyMenu } from "../../ui/index.ts";
import { listFormat, numberFormat } from "../../ui/text/intl-formats.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";

type PostReaction = PostView["reactions"][number];
/** A reaction that was just pressed; the time `at` distinguishes repeated presses. */
type PendingReaction = { emoji: string; adding: boolean; at: number };

/** Names of the reactions on offer. Posts can also have other reactions, from imports and API clients. */
export function useReactionNames(): Record<string, string> {
  const t = useTranslate();
  return {
    "👍": t("Thumbs up"),
    "❤️": t("Heart"),
    "😄": t("Laughing"),
    "🎉": t("Celebration"),
    "🙏": t("Thank you"),
    "🌱": t("Seedling"),
  };
}

const FORM_ID = "reactions";
/** The value of a reaction's button, in the format of `ReactionInput`. */
const reactionValue = (post: PostView, adding: boolean, emoji: string) =>
  `${adding ? "react" : "unreact"} ${post.number} ${post.id} ${emoji}`;

/** One form for all reactions of a page, for browsers without scripts: each button names its post. */
export const ReactionForm = () => (
  <Form id={FORM_ID} method="post" hidden>
    <input type="hidden" name="intent" value="reaction" />
  </Form>
);

/**
 * Reactions with counts and names; the viewer's own are shown as pressed. Changes are shown immediately and
 * sent in the background.
 */
export function ReactionButtons({
  post,
  canReact,
  menu,
}: {
  post: PostView;
  canReact: boolean;
  menu: { to: string; open: boolean };
}) {
  const t = useTranslate();
  const names = useReactionNames();
  const [wishes, setWishes] = useState<PendingReaction[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const reactions = wishes.reduce(applyPending, post.reactions);
  if (!canReact && reactions.length === 0) return null;
  const button = (emoji: string, adding: boolean, pressed = () => {}) => ({
    type: "submit" as const,
    form: FORM_ID,
    name: "reaction",
    value: reactionValue(post, adding, emoji),
    onClick(event: MouseEvent) {
      event.preventDefault();
      setWishes([...wishes, { emoji, adding, at: event.timeStamp }]);
      pressed();
    },
  });
  return (
    <>
      {reactions.map((reaction) => (
        <ReactionPill
          key={reaction.emoji}
          reaction={reaction}
          name={names[reaction.emoji] ?? reaction.emoji}
          button={canReact && button(reaction.emoji, !reaction.mine)}
        />
      ))}
      {canReact && (
        <LazyMenu
          {...menu}
          label={t("React to post {number}", { number: post.number })}
          summary={<i className="icon icon-face-slightly-smiling-plus" />}
          className="menu-start"
        >
          {(close) => (
            <span className="flex">
              {Object.entries(names).map(([emoji, name]) => (
                <button
                  key={emoji}
                  {...button(emoji, true, close)}
                  aria-label={name}
                  className="size-10 rounded-control text-large hover:bg-sunken"
                >
                  {emoji}
                </button>
              ))}
            </span>
          )}
        </LazyMenu>
      )}
      {wishes.map((pendingReaction) => (
        <ReactionSender
          key={pendingReaction.at}
          reaction={reactionValue(post, pendingReaction.adding, pendingReaction.emoji)}
          onEnd={(why) => {
            setWishes((all) => all.filter((it) => it !== pendingReaction));
            setRefused(why);
          }}
        />
      ))}
      {refused && (
        <p role="alert" className="fault">
          {refused}
        </p>
      )}
    </>
  );
}

/** Sends one reaction; `onEnd` gets the message of a refusal, or null. */
function ReactionSender({ reaction, onEnd }: { reaction: string; onEnd: (refused: string | null) => void }) {
  const fetcher = useFetcher<RejectedForm | null>();
  const [sent, setSent] = useState(false);
  useEffect(() => {
    if (!sent) {
      setSent(true);
      void fetcher.submit({ intent: "reaction", reaction, fetched: "1" }, { method: "post" });
    } else if (fetcher.state === "idle" && fetcher.data !== undefined)
      onEnd(fetcher.data?.refused?.message ?? null);
  }, [fetcher, sent, reaction, onEnd]);
  return null;
}

type ReactionButtonProps = {
  type: "submit";
  form: string;
  name: string;
  value: string;
  onClick: (event: MouseEvent) => void;
};

function ReactionPill({
  reaction: { emoji, count, mine, names },
  name,
  button,
}: {
  reaction: PostReaction;
  name: string;
  button: ReactionButtonProps | false;
}) {
  const t = useTranslate();
  const locale = useLocale();
  const people = listFormat(locale).format(names);
  const words = t("{reaction}: {count, plural, one {# person} other {# people}}", { reaction: name, count });
  const inside = `${emoji} ${numberFormat(locale).format(count)}`;
  if (!button)
    return (
      <span className="pill" role="img" aria-label={people ? `${words} (${people})` : words} title={people}>
        {inside}
      </span>
    );
  return (
    <button {...button} aria-pressed={mine} aria-label={words} title={people} className="pill">
      {inside}
    </button>
  );
}

/** Returns the reactions as they will be once the pending one is stored. */
function applyPending(reactions: PostReaction[], { emoji, adding }: PendingReaction): PostReaction[] {
  const known = reactions.find((reaction) => reaction.emoji === emoji);
  if (!known) return adding ? [...reactions, { emoji, count: 1, mine: true, names: [] }] : reactions;
  if (known.mine === adding) return reactions;
  return reactions
    .map((it) => (it === known ? { ...it, mine: adding, count: it.count + (adding ? 1 : -1) } : it))
    .filter((it) => it.count > 0);
}
