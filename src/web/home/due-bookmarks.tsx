import { urls } from "../urls.ts";
import { useTitleAttributes, useTranslate } from "../i18n/index.ts";
import type { MemberHomeData } from "./home-data.ts";
import { Link } from "../ui/navigation/link.tsx";

/** Bookmarks with a due reminder; nothing if there are none. */
export function DueBookmarks({ due }: { due: MemberHomeData["due"] }) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  if (due.length === 0) return null;
  return (
    <section aria-labelledby="due" className="mb-5 rounded-panel bg-accent-soft px-4 py-2">
      <h2 id="due" className="text-small font-semibold text-accent">
        <Link to={urls.bookmarks()} className="text-accent">
          {t("Reminders")}
        </Link>
      </h2>
      <ul>
        {due.map(({ postId, number, discussion, note }) => (
          <li key={postId}>
            <Link
              to={urls.discussion(discussion.id, { post: number })}
              className="block min-h-8 break-words py-1 text-ink"
            >
              <span {...titleAttributes(discussion.language, discussion.title)}>{discussion.title}</span> #
              {number}
              {note && (
                <span dir="auto" className="block text-small text-quiet">
                  {note}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
