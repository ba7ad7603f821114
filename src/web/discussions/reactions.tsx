import { useFetcher } from "react-router";
import type { PostView } from "#community/discussions";
import { LazyMenu } from "../ui/index.ts";
import { listFormat } from "../ui/formats.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import type { Refused } from "../visit.ts";
import { useLocale, useWords } from "../words/index.ts";

type Reaction = PostView["reactions"][number];

/** The few that are offered; others, from imports and programs, are shown where they are. */
function useReactionNames(): Record<string, string> {
  const t = useWords();
  return { "👍": t("Thumbs up"), "❤️": t("Heart"), "😄": t("Laughing"), "🎉": t("Celebration"), "🙏": t("Thank you"), "🌱": t("Seedling") };
}

/** Reactions with their counts and names; one's own are pressed. Shown at once, sent in the background. */
export function Reactions({ post, may, menu }: { post: PostView; may: boolean; menu: { to: string; open: boolean } }) {
  const t = useWords();
  const names = useReactionNames();
  const fetcher = useFetcher<Refused | null>();
  const hydrated = useHydrated();
  const reactions = withPending(post.reactions, fetcher.formData);
  if (!may && reactions.length === 0) return null;
  const hidden = (intent: string) => (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="postId" value={post.id} />
      {hydrated && <input type="hidden" name="fetched" value="1" />}
    </>
  );
  return (
    <>
      {reactions.map((reaction) => (
        <fetcher.Form key={reaction.emoji} method="post">
          {hidden(reaction.mine ? "unreact" : "react")}
          <Pill reaction={reaction} name={names[reaction.emoji] ?? reaction.emoji} may={may} />
        </fetcher.Form>
      ))}
      {may && (
        <LazyMenu
          {...menu}
          label={t("React to post {number}", { number: post.number })}
          summary={<span aria-hidden className="icon icon-smile" />}
          className="menu-start"
        >
          {(close) => (
            <fetcher.Form method="post" className="flex" onSubmit={close}>
              {hidden("react")}
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
          )}
        </LazyMenu>
      )}
      {fetcher.data?.refused && (
        <p role="alert" className="fault">
          {t(fetcher.data.refused.message)}
        </p>
      )}
    </>
  );
}

function Pill({ reaction: { emoji, count, mine, names }, name, may }: { reaction: Reaction; name: string; may: boolean }) {
  const t = useWords();
  const locale = useLocale();
  const people = listFormat(locale).format(names);
  const words =
    t("{reaction}: {count, plural, one {# person} other {# people}}", { reaction: name, count }) + (people ? ` (${people})` : "");
  const look = `inline-flex min-h-8 items-center gap-1.5 rounded-full border px-2.5 text-small figures ${mine ? "border-accent bg-accent-soft text-ink" : "border-line bg-surface text-quiet"}`;
  const inside = (
    <>
      <span aria-hidden>{emoji}</span>
      <span aria-hidden>{count}</span>
      <span className="sr-only">{words}</span>
    </>
  );
  if (!may)
    return (
      <span className={look} title={words}>
        {inside}
      </span>
    );
  return (
    <button type="submit" name="emoji" value={emoji} aria-pressed={mine} title={people} className={look}>
      {inside}
    </button>
  );
}

/** The reactions as they will be once what was just pressed has arrived. */
function withPending(reactions: Reaction[], sent: FormData | undefined): Reaction[] {
  const emoji = sent?.get("emoji");
  if (typeof emoji !== "string") return reactions;
  const adding = sent?.get("intent") === "react";
  const known = reactions.find((reaction) => reaction.emoji === emoji);
  if (!known) return adding ? [...reactions, { emoji, count: 1, mine: true, names: [] }] : reactions;
  if (known.mine === adding) return reactions;
  return reactions
    .map((it) => (it === known ? { ...it, mine: adding, count: it.count + (adding ? 1 : -1) } : it))
    .filter((it) => it.count > 0);
}
