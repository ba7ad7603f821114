import type { Conversation } from "#community/conversations";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { Avatar, Menu } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { ConversationMenuItems } from "./conversation-menu.tsx";
import { ConversationMembers } from "./conversation-members.tsx";
import { Link } from "../ui/navigation/link.tsx";

/** Participants, shared groups, and the conversation's menu. */
export function ConversationHead({ conversation }: { conversation: Conversation }) {
  const t = useTranslate();
  const [other] = conversation.others;
  const direct = conversation.kind === "direct";
  const name = conversationName(conversation, t("Only you"));
  return (
    <header className="thread-head">
      <Link
        to={urls.messages()}
        className="button rail:hidden"
        data-kind="quiet"
        aria-label={t("All messages")}
      >
        <i className="icon icon-arrow-left rtl:rotate-180" />
      </Link>
      {direct && other && <Avatar person={other} size={48} />}
      <div className="min-w-0 flex-1">
        <h1 dir="auto" className="truncate text-large font-semibold">
          {direct && other ? (
            <Link to={urls.person(other.id)} className="text-ink no-underline hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </h1>
        {direct ? (
          <CommonGroups groups={conversation.groupsInCommon} />
        ) : (
          <ConversationMembers conversation={conversation} />
        )}
      </div>
      {conversation.muted && (
        <p className="flex items-center gap-1 self-center text-small text-quiet">
          <i className="icon icon-bell-off size-3.5" />
          {t("Muted")}
        </p>
      )}
      <Menu label={t("Conversation menu")} summary={<i className="icon icon-ellipsis" />}>
        <ConversationMenuItems {...conversation} />
      </Menu>
    </header>
  );
}

function CommonGroups({ groups }: { groups: Conversation["groupsInCommon"] }) {
  const t = useTranslate();
  if (groups.length === 0) return null;
  return (
    <p className="truncate text-small text-quiet">
      {t("Groups in common")}{" "}
      {groups.slice(0, 3).map((group, index) => (
        <span key={group.slug}>
          {index > 0 && ", "}
          <Link to={urls.group(group.slug)} dir="auto" className="text-quiet">
            {group.name}
          </Link>
        </span>
      ))}
      {groups.length > 3 && <> {t("and {count} more", { count: groups.length - 3 })}</>}
    </p>
  );
}
