import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { MemberHomeData } from "./home-data.ts";
import { Link } from "../ui/navigation/link.tsx";

/** Bookmarks with a due reminder; nothing if there are none. */
export function DueBookmarks({ due }: { due: MemberHomeData["due"] }) {
  const t = useTranslate();
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
              dir="auto"
              className="block min-h-8 break-words py-1 text-ink"
            >
              {discussion.title} #{number}
              {note && <span className="block text-small text-quiet">{note}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
