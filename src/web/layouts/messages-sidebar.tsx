import { useLocation } from "react-router";
import type { ConversationRow } from "#community/conversations";
import { LastMessage } from "../messages/inbox/last-message.tsx";
import { Avatar, CountBadge } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";

/** Returns the name of a conversation, or else the names of its other participants. */
export const conversationName = (it: Pick<ConversationRow, "name" | "others">, alone: string) =>
  it.name || it.others.map((person) => person.name).join(", ") || alone;

const nameStyle = ({ muted, unread }: ConversationRow) =>
  muted ? "text-quiet" : unread ? "font-semibold" : "";

/** The latest conversations beside the page: unread ones are bold and counted, muted ones are dimmed. */
export function MessagesSidebar({ conversations }: { conversations: ConversationRow[] }) {
  const t = useTranslate();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t("Recent messages")} className="mb-6">
      <h2 className="mb-1 px-2.5 text-small font-semibold text-quiet">
        <Link to={urls.messages()} className="text-quiet no-underline hover:underline">
          {t("Recent messages")}
        </Link>
      </h2>
      {conversations.length === 0 && (
        <p className="px-2.5 text-quiet">{t("No messages yet. Write to a friend.")}</p>
      )}
      <ul>
        {conversations.map((conversationRow) => (
          <li key={conversationRow.id}>
            <Link
              to={urls.conversation(conversationRow.id)}
              className="rail-link"
              aria-current={pathname === urls.conversation(conversationRow.id) ? "page" : undefined}
              data-unread={(conversationRow.unread > 0 && !conversationRow.muted) || undefined}
            >
              {conversationRow.others[0] && <Avatar person={conversationRow.others[0]} size={32} />}
              <span className="min-w-0 flex-1">
                <span dir="auto" className={`block truncate leading-5 ${nameStyle(conversationRow)}`}>
                  {conversationName(conversationRow, t("Only you"))}
                </span>
                {conversationRow.last && (
                  <LastMessage
                    by={conversationRow.last.by === "viewer" ? "viewer" : null}
                    words={conversationRow.last.excerpt}
                    className="text-small leading-5 text-quiet"
                  />
                )}
              </span>
              {conversationRow.unread > 0 && <CountBadge n={conversationRow.unread} fresh of={t("unread")} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
