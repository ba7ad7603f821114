import type { FoundMessage } from "#community/conversations";
import { conversationName } from "../../layouts/messages-sidebar.tsx";
import { ButtonLink, EmptyState, NextPageLink, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

type Props = { found: { rows: FoundMessage[]; next: string | null }; search: string; within: string };

/** Messages that match the search, each linked to its position in the conversation. */
export function MessageSearchResults({ found: { rows, next }, search, within }: Props) {
  const t = useTranslate();
  return (
    <section aria-label={t("Search results")}>
      <p className="mb-2">
        <ButtonLink kind="quiet" to={within ? urls.conversation(within) : urls.messages()}>
          {within ? t("Back to conversation") : t("All messages")}
        </ButtonLink>
      </p>
      {rows.length === 0 && search && (
        <EmptyState title={t("No results.")}>{t("Finds words by their beginning.")}</EmptyState>
      )}
      <ul>
        {rows.map((foundMessage) => (
          <li key={foundMessage.id} className="border-b border-line py-3 last:border-b-0">
            <Link
              to={urls.conversation(foundMessage.conversation.id, {
                at: foundMessage.seq,
                message: foundMessage.seq,
              })}
              className="block text-ink no-underline hover:underline"
            >
              <span dir="auto" className="block text-small font-semibold text-quiet">
                {conversationName(foundMessage.conversation, t("Only you"))} ·{" "}
                <Time at={foundMessage.createdAt} />
              </span>
              <span dir="auto" className="line-clamp-3">
                {foundMessage.by === "viewer"
                  ? t("You: {words}", { words: foundMessage.excerpt })
                  : `${foundMessage.by?.name ?? t("Former member")}: ${foundMessage.excerpt}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <NextPageLink to={next && urls.messages({ search, in: within, after: next })} />
    </section>
  );
}
