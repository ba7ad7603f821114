import { ArrowLeft, BellOff } from "lucide-react";
import type { Conversation } from "#community/conversations";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { Act, ConfirmAct } from "../people/act.tsx";
import { Avatar, Menu, PersonLink } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { Link } from "../ui/link.tsx";

/** Who is in it, what they share, and how one keeps it. */
export function ConversationHead({ conversation }: { conversation: Conversation }) {
  const t = useWords();
  const [other] = conversation.others;
  const direct = conversation.kind === "direct";
  const name = conversationName(conversation, t("Only you"));
  return (
    <header className="mb-4 flex items-start gap-3 border-b border-line pb-4">
      <Link to={urls.messages()} className="button rail:hidden" data-kind="quiet" aria-label={t("All messages")}>
        <ArrowLeft size={18} strokeWidth={1.75} aria-hidden className="rtl:rotate-180" />
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
        {direct ? <Shared groups={conversation.groupsInCommon} /> : <Members conversation={conversation} />}
      </div>
      {conversation.muted && (
        <p className="flex items-center gap-1 self-center text-small text-quiet">
          <BellOff size={14} strokeWidth={1.75} aria-hidden />
          {t("Muted")}
        </p>
      )}
      <Keeping conversation={conversation} />
    </header>
  );
}

function Shared({ groups }: { groups: Conversation["groupsInCommon"] }) {
  const t = useWords();
  if (groups.length === 0) return null;
  return (
    <p className="truncate text-small text-quiet">
      {t("You are both in")}{" "}
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

function Members({ conversation: { others } }: { conversation: Conversation }) {
  const t = useWords();
  return (
    <details>
      <summary className="w-fit text-small text-quiet underline">
        {t("{count, plural, one {You and one other} other {You and # others}}", { count: others.length })}
      </summary>
      <ul className="mt-2 grid gap-1">
        {others.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-2">
            <PersonLink person={person} />
            {!person.accepted && <span className="text-small text-amber">{t("has not answered yet")}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Keeping({ conversation: { kind, muted, archived, others } }: { conversation: Conversation }) {
  const t = useWords();
  const [other] = others;
  return (
    <Menu label={t("What to do with this conversation")} summary={<span aria-hidden>⋯</span>}>
      {muted ? (
        <Act inMenu intent="unmute" fields={{}} busy={t("Just a moment…")}>
          {t("Unmute")}
        </Act>
      ) : (
        <Mute />
      )}
      {archived ? (
        <Act inMenu intent="unarchive" fields={{}} busy={t("Just a moment…")}>
          {t("Back to the inbox")}
        </Act>
      ) : (
        <Act inMenu intent="archive" fields={{}} busy={t("Just a moment…")}>
          {t("Archive")}
        </Act>
      )}
      {kind === "group" && (
        <ConfirmAct
          intent="leave"
          fields={{}}
          ask={t("Leave…")}
          consequence={t("Quietly. You will not see what is said here from now on.")}
          busy={t("Leaving…")}
        >
          {t("Yes, leave")}
        </ConfirmAct>
      )}
      {kind === "direct" && other && (
        <ConfirmAct
          intent="block"
          fields={{ personId: other.id }}
          ask={t("Block…")}
          consequence={t("You no longer see each other, nor can you write to each other. {name} is not told.", { name: other.name })}
          busy={t("Blocking…")}
        >
          {t("Yes, block {name}", { name: other.name })}
        </ConfirmAct>
      )}
    </Menu>
  );
}

function Mute() {
  const t = useWords();
  const busy = t("Just a moment…");
  return (
    <>
      <Act inMenu intent="mute" fields={{ span: "hour" }} busy={busy}>
        {t("Mute for an hour")}
      </Act>
      <Act inMenu intent="mute" fields={{ span: "evening" }} busy={busy}>
        {t("Mute for 8 hours")}
      </Act>
      <Act inMenu intent="mute" fields={{ span: "week" }} busy={busy}>
        {t("Mute for a week")}
      </Act>
      <Act inMenu intent="mute" fields={{ span: "always" }} busy={busy}>
        {t("Mute until I say otherwise")}
      </Act>
    </>
  );
}
