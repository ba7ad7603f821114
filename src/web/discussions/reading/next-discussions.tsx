import type { DiscussionRow } from "#community/discussions";
import { CountBadge, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

type NextDiscussion = Pick<
  DiscussionRow,
  "id" | "title" | "language" | "unread" | "firstUnread" | "lastPostAt"
>;

/** Discussions to read next, listed at the end of a discussion. */
export function NextDiscussions({ rows }: { rows: NextDiscussion[] }) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="read-next" className="mt-10">
      <h2 id="read-next" className="text-small font-semibold text-quiet">
        {t("Read next")}
      </h2>
      <ul className="mt-1">
        {rows.map((row) => (
          <li key={row.id} className="flex items-baseline gap-3 border-b border-line py-2 last:border-b-0">
            <Link
              to={urls.discussion(row.id, row.firstUnread ? { post: row.firstUnread } : {})}
              {...titleAttributes(row.language, row.title)}
              className="min-w-0 flex-1 break-words font-serif text-read text-ink"
            >
              {row.title}
            </Link>
            {row.unread > 0 ? (
              <CountBadge n={row.unread} fresh of={t("unread")} />
            ) : (
              <Time at={row.lastPostAt} className="text-small text-quiet" />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
