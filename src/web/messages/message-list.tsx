import { Fragment } from "react";
import type { ConversationEntry } from "#community/conversations";
import { Avatar, useRootData } from "../ui/index.ts";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { Link } from "../ui/navigation/link.tsx";
import { NewPostsDivider } from "../ui/new-posts-divider.tsx";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { ConversationData } from "./conversation-data.ts";
import { groupMessagesByDay, isMessageGroup, type MessageGroup } from "./message-groups.ts";
import { MessageItem } from "./message.tsx";

/** Messages by day and author, with a divider before those that are new to the viewer. */
export function MessageList({ data, readUpTo }: { data: ConversationData; readUpTo: number }) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  const { id, entries, joinedSeq } = data.conversation;
  const { messages, hasOlder, hasNewer } = data.page;
  const [first, last] = [messages[0], messages.at(-1)];
  const firstNew =
    readUpTo > joinedSeq ? messages.find(({ seq, mine }) => seq > readUpTo && !mine)?.seq : undefined;
  const dayText = dateFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone,
  });
  const among = entries.filter(
    ({ afterSeq }) =>
      (!hasOlder || afterSeq >= (first?.seq ?? 0)) && (!hasNewer || afterSeq < (last?.seq ?? 0)),
  );
  return (
    <>
      {hasOlder && first && (
        <p className="mb-4 text-center">
          <Link className="button" to={urls.conversation(id, { before: first.seq })}>
            {t("Earlier messages")}
          </Link>
        </p>
      )}
      {groupMessagesByDay(messages, among, timeZone).map((day) => (
        <section key={day.key} aria-label={dayText.format(day.at)}>
          <h2
            className="my-4 flex items-center gap-3 text-small font-semibold text-quiet before:h-px before:flex-1
            before:bg-line after:h-px after:flex-1 after:bg-line"
          >
            {dayText.format(day.at)}
          </h2>
          <ol className="grid gap-4">
            {day.entries.map((entry) =>
              isMessageGroup(entry) ? (
                <Fragment key={entry.messages[0]!.id}>
                  {entry.messages[0]!.seq === firstNew && (
                    <li>
                      <NewPostsDivider id="new" />
                    </li>
                  )}
                  <MessageGroupView data={data} turn={entry} firstNew={firstNew} />
                </Fragment>
              ) : (
                <MembershipEntry key={entry.id} line={entry} />
              ),
            )}
          </ol>
        </section>
      ))}
      {hasNewer && last && (
        <p className="mt-6 text-center">
          <Link className="button" to={urls.conversation(id, { after: last.seq })}>
            {t("Later messages")}
          </Link>
        </p>
      )}
      {!hasNewer && <ReadReceipt data={data} />}
    </>
  );
}

function MessageGroupView({
  data,
  turn,
  firstNew,
}: {
  data: ConversationData;
  turn: MessageGroup;
  firstNew: number | undefined;
}) {
  const t = useTranslate();
  const name = turn.mine ? t("You") : (turn.author?.name ?? t("Former member"));
  return (
    <li className={`flex gap-3 ${turn.mine ? "flex-row-reverse" : ""}`}>
      {!turn.mine &&
        (turn.author ? (
          <Avatar person={turn.author} size={32} />
        ) : (
          <span aria-hidden className="size-8 flex-none rounded-full bg-sunken" />
        ))}
      <div
        className={`grid min-w-0 max-w-[85%] grid-cols-1 gap-1
          ${turn.mine ? "justify-items-end" : "justify-items-start"}`}
      >
        <p className={`text-small text-quiet ${turn.mine ? "sr-only" : ""}`}>
          {turn.author && !turn.mine ? (
            <Link
              to={urls.person(turn.author.id)}
              dir="auto"
              className="inline-block leading-6 font-semibold text-quiet"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        {turn.messages.map((message, i) => (
          <div
            key={message.id}
            className={`grid max-w-full grid-cols-1 gap-1 ${turn.mine ? "justify-items-end" : "justify-items-start"}`}
          >
            {i > 0 && message.seq === firstNew && <NewPostsDivider id="new" />}
            <MessageItem data={data} message={message} />
          </div>
        ))}
      </div>
    </li>
  );
}

/** An entry for a person who was added or removed, or for a new name of the conversation. */
function MembershipEntry({ line: { kind, by, byViewer, person, name } }: { line: ConversationEntry }) {
  const t = useTranslate();
  const who = by?.name ?? t("Someone");
  const whom = person?.name ?? t("Someone");
  const words = {
    added: byViewer ? t("You added {whom}", { whom }) : t("{name} added {whom}", { name: who, whom }),
    removed: byViewer ? t("You removed {whom}", { whom }) : t("{name} removed {whom}", { name: who, whom }),
    renamed: byViewer
      ? t("You named it “{title}”", { title: name })
      : t("{name} named it “{title}”", { name: who, title: name }),
    unnamed: byViewer ? t("You removed the name") : t("{name} removed the name", { name: who }),
  };
  return (
    <li dir="auto" className="text-center text-small text-quiet">
      {words[kind === "renamed" && name === "" ? "unnamed" : kind]}
    </li>
  );
}

/** Shows below the viewer's latest message whether it was sent and, with read receipts, who has read it. */
function ReadReceipt({ data: { conversation, page } }: { data: ConversationData }) {
  const t = useTranslate();
  const last = page.messages.at(-1);
  if (!last?.mine || last.stub) return null;
  const readers = conversation.others.filter(({ readUpTo }) => readUpTo !== null && readUpTo >= last.seq);
  const words =
    readers.length === 0
      ? t("Sent", undefined, "message")
      : conversation.kind === "direct"
        ? t("Read")
        : t("Read by {names}", { names: readers.map(({ name }) => name).join(", ") });
  return (
    <p className="mt-1 text-end text-small text-quiet" data-how-far>
      {words}
    </p>
  );
}
