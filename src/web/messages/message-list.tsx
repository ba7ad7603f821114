import type { Conversation, MessagesPage, MessageView } from "#community/conversations";
import { Avatar, Prose, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useLocale, useWords } from "../words/index.ts";
import { byDay, type Turn } from "./message-groups.ts";
import { dateFormat } from "../ui/formats.ts";
import { Link } from "../ui/link.tsx";

/** What was said, by day and by who said it; a line before what is new since the viewer was last here. */
export function Messages({ conversation: { id }, page, readUpTo }: { conversation: Conversation; page: MessagesPage; readUpTo: number }) {
  const t = useWords();
  const locale = useLocale();
  const { timeZone } = useRoot();
  const { messages, hasOlder, hasNewer } = page;
  const firstNew = readUpTo > 0 ? messages.find((it) => it.seq > readUpTo && !it.mine)?.seq : undefined;
  const dayText = dateFormat(locale, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone });
  return (
    <>
      {hasOlder && messages[0] && (
        <p className="mb-4 text-center">
          <Link className="button" to={urls.conversation(id, { before: String(messages[0].seq) })}>
            {t("Earlier messages")}
          </Link>
        </p>
      )}
      {byDay(messages, timeZone).map((day) => (
        <section key={day.key} aria-label={dayText.format(day.at)}>
          <h2 className="my-4 flex items-center gap-3 text-small font-semibold text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {dayText.format(day.at)}
          </h2>
          <ol className="grid gap-4">
            {day.turns.map((turn) => (
              <SaidBy key={turn.messages[0]!.id} turn={turn} firstNew={firstNew} />
            ))}
          </ol>
        </section>
      ))}
      {hasNewer && (
        <p className="mt-6 text-center">
          <Link className="button" to={urls.conversation(id)}>
            {t("To the newest messages")}
          </Link>
        </p>
      )}
    </>
  );
}

function SaidBy({ turn, firstNew }: { turn: Turn; firstNew: number | undefined }) {
  const t = useWords();
  const name = turn.mine ? t("You") : (turn.author?.name ?? t("Former member"));
  return (
    <li className={`flex gap-3 ${turn.mine ? "flex-row-reverse" : ""}`}>
      {!turn.mine &&
        (turn.author ? (
          <Avatar person={turn.author} size={32} />
        ) : (
          <span aria-hidden className="size-8 flex-none rounded-full bg-sunken" />
        ))}
      <div className={`grid min-w-0 max-w-[85%] gap-1 ${turn.mine ? "justify-items-end" : "justify-items-start"}`}>
        <p className={`text-small text-quiet ${turn.mine ? "sr-only" : ""}`}>
          {turn.author && !turn.mine ? (
            <Link to={urls.person(turn.author.id)} dir="auto" className="font-semibold text-quiet">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        {turn.messages.map((message) => (
          <div key={message.id} className={`grid max-w-full gap-1 ${turn.mine ? "justify-items-end" : "justify-items-start"}`}>
            {message.seq === firstNew && <NewLine />}
            <Message message={message} />
          </div>
        ))}
      </div>
    </li>
  );
}

const NewLine = () => {
  const t = useWords();
  return (
    <p className="mt-1 text-small font-semibold text-amber" id="new">
      {t("New since your last visit")}
    </p>
  );
};

function Message({ message }: { message: MessageView }) {
  const t = useWords();
  return (
    <article
      id={`message-${message.seq}`}
      className={`max-w-full rounded-panel border px-3 py-2 ${message.mine ? "border-transparent bg-accent-soft" : "border-line bg-surface"}`}
    >
      {message.html !== null && <Prose html={message.html} className="message-text" />}
      {message.html === null && <p className="text-quiet">{stubWords(message.stub, t)}</p>}
      <p className={`text-small text-quiet ${message.mine ? "text-end" : ""}`}>
        <ClockTime at={message.createdAt} />
        {message.editedAt && <> · {t("edited")}</>}
      </p>
    </article>
  );
}

function stubWords(stub: MessageView["stub"], t: ReturnType<typeof useWords>) {
  if (stub === "deleted") return t("This message was deleted.");
  if (stub === "blocked-by-viewer") return t("A message of somebody you blocked.");
  return t("You cannot see this message.");
}

/** The day stands above: within it the hour is enough. */
function ClockTime({ at }: { at: Date }) {
  const locale = useLocale();
  const { timeZone } = useRoot();
  const exact = dateFormat(locale, { dateStyle: "full", timeStyle: "short", timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {dateFormat(locale, { timeStyle: "short", timeZone }).format(at)}
    </time>
  );
}
