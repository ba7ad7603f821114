import type { SearchResultItem } from "#community/search";
import { Avatar, Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useTranslate } from "../i18n/index.ts";
import { HighlightedText } from "./highlighted-text.tsx";

/** A search hit: title, location, and an excerpt with the words that were found. */
export function SearchHit({ line }: { line: SearchResultItem }) {
  const t = useTranslate();
  const person = line.type === "people";
  const { excerpt } = line;
  return (
    <li className="flex gap-3 border-b border-line py-3 last:border-b-0" data-item>
      {line.author && (person || line.type === "posts" || line.type === "messages") && (
        <Avatar person={line.author} size={32} />
      )}
      <div className="min-w-0 flex-1">
        <h3 className={person ? "font-semibold leading-6" : "font-serif text-read font-semibold leading-6"}>
          <Link to={line.url} dir="auto" className="break-words text-ink">
            {line.type === "messages" ? (
              (line.author?.name ?? t("Former member"))
            ) : (
              <HighlightedText text={line.title} marks={line.titleMarks} />
            )}
          </Link>{" "}
          {person && <bdi className="font-normal text-quiet">@{line.names}</bdi>}
        </h3>
        {excerpt.text && (
          <p dir="auto" lang={line.language} className="line-clamp-3 max-w-measure break-words">
            {excerpt.cutBefore && "… "}
            <HighlightedText text={excerpt.text} marks={excerpt.marks} />
            {excerpt.cutAfter && " …"}
          </p>
        )}
        <HitDetails line={line} />
      </div>
    </li>
  );
}

/** The line below: author, place, date and reactions. */
function HitDetails({ line }: { line: SearchResultItem }) {
  const t = useTranslate();
  if (line.type === "people") return null;
  const about = [
    line.type === "posts" || line.type === "discussions" ? line.author?.name : null,
    line.type === "groups"
      ? t("{count, plural, one {# member} other {# members}}", { count: line.members })
      : line.group?.name,
    line.type === "discussions" && line.comments > 0
      ? t("{count, plural, one {# reply} other {# replies}}", { count: line.comments })
      : null,
    line.page === null ? null : t("Page {page}", { page: line.page }),
  ].filter((it): it is string => typeof it === "string");
  return (
    <p className="text-small text-quiet">
      {about.map((it) => (
        <span key={it}>
          <bdi>{it}</bdi> ·{" "}
        </span>
      ))}
      <Time at={line.at} />
    </p>
  );
}
