import type { SearchResultItem } from "#community/search";
import { Avatar, Tag, Time, useMarkedName } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useTitleAttributes, useTranslate } from "../i18n/index.ts";
import { useEventTimes } from "../calendar/event-times.ts";
import { HighlightedText } from "./highlighted-text.tsx";

/** Kinds whose titles are in the language of the text, unlike names. */
const titled = new Set<SearchResultItem["type"]>(["discussions", "posts", "resources", "events"]);

/** A search hit: title, location, and an excerpt with the words that were found. */
export function SearchHit({ item }: { item: SearchResultItem }) {
  const t = useTranslate();
  const person = item.type === "people";
  const { excerpt } = item;
  const titleAttributes = useTitleAttributes();
  return (
    <li className="flex gap-3 border-b border-line py-3 last:border-b-0" data-item>
      {item.author && (person || item.type === "posts" || item.type === "messages") && (
        <Avatar person={item.author} size={32} />
      )}
      <div className="min-w-0 flex-1">
        <h3 className={person ? "font-semibold leading-6" : "font-serif text-read font-semibold leading-6"}>
          <Link
            to={item.url}
            {...(titled.has(item.type) ? titleAttributes(item.language, item.title) : { dir: "auto" })}
            className="break-words text-ink"
          >
            {item.type === "messages" ? (
              (item.author?.name ?? t("Former member"))
            ) : (
              <HighlightedText text={item.title} marks={item.titleMarks} />
            )}
          </Link>{" "}
          {person && <bdi className="font-normal text-quiet">@{item.names}</bdi>}
        </h3>
        {excerpt.text && (
          <p
            {...titleAttributes(item.language, excerpt.text)}
            className="line-clamp-3 max-w-measure break-words"
          >
            {excerpt.cutBefore && "… "}
            <HighlightedText text={excerpt.text} marks={excerpt.marks} />
            {excerpt.cutAfter && " …"}
          </p>
        )}
        {item.event ? <EventDetails item={item} event={item.event} /> : <HitDetails item={item} />}
      </div>
    </li>
  );
}

/** The row below the title: author, place, date and reactions. */
function HitDetails({ item }: { item: SearchResultItem }) {
  const t = useTranslate();
  const markedName = useMarkedName();
  if (item.type === "people") return null;
  const about = [
    item.type === "posts" || item.type === "discussions" ? item.author && markedName(item.author) : null,
    item.type === "groups"
      ? t("{count, plural, one {# member} other {# members}}", { count: item.members })
      : item.group?.name,
    item.type === "discussions" && item.comments > 0
      ? t("{count, plural, one {# reply} other {# replies}}", { count: item.comments })
      : null,
    item.page === null ? null : t("Page {page}", { page: item.page }),
  ].filter((it): it is string => typeof it === "string");
  return (
    <p className="text-small text-quiet">
      {about.map((it) => (
        <span key={it}>
          <bdi>{it}</bdi> ·{" "}
        </span>
      ))}
      <Time at={item.at} />
    </p>
  );
}

/** The row below the title of an event: when, where, and in which group. */
function EventDetails({ item, event }: { item: SearchResultItem; event: FoundEvent }) {
  const t = useTranslate();
  const { when } = useEventTimes();
  const about = [item.names, item.group?.name].filter((it): it is string => Boolean(it));
  return (
    <p className="text-small break-words text-quiet figures">
      {/* Browsers write other spaces into a range of times than the server. */}
      <time dateTime={new Date(event.startsAt).toISOString()} suppressHydrationWarning>
        {when(event)}
      </time>
      {about.map((it) => (
        <span key={it}>
          {" · "}
          <bdi>{it}</bdi>
        </span>
      ))}
      {event.state !== "scheduled" && (
        <>
          {" "}
          <Tag>{event.state === "cancelled" ? t("Cancelled") : t("Postponed")}</Tag>
        </>
      )}
    </p>
  );
}

type FoundEvent = NonNullable<SearchResultItem["event"]>;
