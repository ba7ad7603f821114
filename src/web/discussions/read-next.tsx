import { Link } from "react-router";
import type { SidebarData } from "../layouts/discussions-sidebar.tsx";
import { Count, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

const MOST = 5;
const WITHOUT_NEWS = 3;

/** Where to go from the end: what is unread in the same group, or its latest. */
export function ReadNext({ sidebar: { group, rows }, current }: { sidebar: SidebarData; current: string }) {
  const t = useWords();
  const others = rows.filter((row) => row.id !== current);
  const unread = others.filter((row) => row.unread > 0).slice(0, MOST);
  const next = unread.length > 0 ? unread : others.slice(0, WITHOUT_NEWS);
  if (next.length === 0) return null;
  return (
    <section aria-labelledby="read-next" className="mt-10">
      <h2 id="read-next" className="text-small font-semibold text-quiet">
        {unread.length > 0 ? t("Unread here as well") : t("More in {group}", { group: group?.name })}
      </h2>
      <ul className="mt-1">
        {next.map((row) => (
          <li key={row.id} className="flex items-baseline gap-3 border-b border-line py-2 last:border-b-0">
            <Link
              to={urls.discussion(row.id, row.firstUnread ? { post: row.firstUnread } : {})}
              dir="auto"
              className="min-w-0 flex-1 break-words font-serif text-read text-ink"
            >
              {row.title}
            </Link>
            {row.unread > 0 ? (
              <Count n={row.unread} fresh of={t("unread")} />
            ) : (
              <Time at={row.lastPostAt} className="text-small text-quiet" />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
