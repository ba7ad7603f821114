import { useLocation } from "react-router";
import type { SidebarRow } from "#community/discussions";
import { useFreshRows } from "../live/beside.ts";
import { Count } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { linePart } from "../ui/line-part.tsx";
import { Link } from "../ui/link.tsx";

/** `group` is null where the list is not of one group (home). */
export type SidebarData = { group: { slug: string; name: string } | null; rows: SidebarRow[] };

/** This group's discussions beside the page: pinned on top, then unread, the current one marked. */
export function DiscussionsSidebar({ data, asOf }: { data: SidebarData; asOf?: number }) {
  const t = useWords();
  const { pathname } = useLocation();
  const rows = useFreshRows(data, asOf);
  const title = data.group ? t("Discussions in {group}", { group: data.group.name }) : t("Discussions");
  return (
    <nav aria-label={title} className="mb-6">
      <h2 className="mb-1 px-2.5 text-small font-semibold text-quiet">
        {data.group ? (
          <Link to={urls.group(data.group.slug)} className="text-quiet no-underline hover:underline">
            {data.group.name}
          </Link>
        ) : (
          t("Discussions")
        )}
      </h2>
      {rows.length === 0 && <p className="px-2.5 text-quiet">{t("Nothing has been started here yet.")}</p>}
      <ul>
        {rows.map((row) => (
          <DiscussionBeside key={row.id} row={row} here={pathname === urls.discussion(row.id)} />
        ))}
      </ul>
    </nav>
  );
}

const DiscussionBeside = linePart("discussion-beside", ({ row, here }: { row: SidebarRow; here: boolean }) => {
  const t = useWords();
  const to = urls.discussion(row.id, row.firstUnread ? { post: row.firstUnread } : {});
  return (
    <Link to={to} className="rail-link" aria-current={here ? "page" : undefined} data-unread={row.unread > 0 || undefined}>
      {row.pinned && <i role="img" aria-label={t("Pinned")} className="icon icon-pin size-3.5" />}
      {row.locked && <i role="img" aria-label={t("Locked")} className="icon icon-lock size-3.5" />}
      <span dir="auto" className={row.unread ? "rail-name font-semibold" : "rail-name"}>
        {row.title}
      </span>
      {row.unread > 0 && <Count n={row.unread} fresh of={t("unread")} />}
    </Link>
  );
});
