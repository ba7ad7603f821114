import { LiveAnnouncer } from "../live/live-announcer.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { ConversationData } from "./conversation-data.ts";
import { scrollToEnd } from "./use-stay-at-end.ts";

/**
 * Link to messages that arrived since the reader was at the end. If many of them are on other pages, it
 * leads to the newest.
 */
export function NewMessagesLink({
  data: { conversation, page },
  seen,
}: {
  data: ConversationData;
  seen: number;
}) {
  const t = useTranslate();
  const here = page.messages.filter(({ seq, mine }) => seq > seen && !mine).length;
  const beyond = page.hasNewer ? conversation.lastSeq - (page.messages.at(-1)?.seq ?? 0) : 0;
  const count = here + beyond;
  const words = t("{count, plural, one {# new message} other {# new messages}}", { count });
  return (
    <div className="new-messages">
      {beyond > 0 ? (
        <Link to={urls.conversation(conversation.id, { latest: 1 })}>
          <i className="icon icon-arrow-down size-4" />
          {t("Jump to newest: {count, plural, one {# message} other {# messages}}", { count: beyond })}
        </Link>
      ) : (
        count > 0 && (
          <button type="button" onClick={() => scrollToEnd()}>
            <i className="icon icon-arrow-down size-4" />
            {words}
          </button>
        )
      )}
      <LiveAnnouncer words={here > 0 ? words : ""} />
    </div>
  );
}
