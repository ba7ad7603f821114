import { useLocation } from "react-router";
import type { SidebarRow } from "#community/discussions";
import { useFreshRows } from "../live/sidebar-updates.ts";
import { CountBadge } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTitleAttributes, useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import SidebarFilter from "./sidebar-filter.tsx";

export type SidebarData = { group: { slug: string; name: string }; rows: SidebarRow[] };

/**
 * The group's discussions beside the page, pinned ones first, then unread ones; the current one is marked.
 * The list can be filtered by words or by author.
 */
export function DiscussionsSidebar({ data, asOf }: { data: SidebarData; asOf?: number }) {
  const t = useTranslate();
  const { group } = data;
  const rows = useFreshRows(data, asOf);
  const hydrated = useHydrated();
  const { pathname } = useLocation();
  const linesOf = (shown: SidebarRow[]) => (
    <ul>
      {shown.map((row) => (
        <SidebarDiscussion key={row.id} row={row} here={pathname === urls.discussion(row.id)} />
      ))}
    </ul>
  );
  return (
    <nav aria-label={t("Discussions in {group}", { group: group.name })} className="mb-6">
      <h2 className="mb-1 px-2.5 text-small font-semibold text-quiet">
        <Link to={urls.group(group.slug)} className="text-quiet no-underline hover:underline">
          {group.name}
        </Link>
      </h2>
      {rows.length === 0 && <p className="px-2.5 text-quiet">{t("No discussions yet.")}</p>}
      {hydrated && rows.length > 0 ? (
        <SidebarFilter group={group} rows={rows} linesOf={linesOf} />
      ) : (
        <div className="room-to-narrow">{linesOf(rows)}</div>
      )}
    </nav>
  );
}

function SidebarDiscussion({ row, here }: { row: SidebarRow; here: boolean }) {
  const t = useTranslate();
  const to = urls.discussion(row.id, row.firstUnread ? { post: row.firstUnread } : {});
  return (
    <li>
      <Link
        to={to}
        className="rail-link"
        aria-current={here ? "page" : undefined}
        data-unread={row.unread > 0 || undefined}
      >
        {row.pinned && <i role="img" aria-label={t("Pinned")} className="icon icon-pin size-3.5" />}
        {row.locked && <i role="img" aria-label={t("Locked")} className="icon icon-lock size-3.5" />}
        <span
          {...useTitleAttributes()(row.language, row.title)}
          className={row.unread ? "rail-name font-semibold" : "rail-name"}
        >
          {row.title}
        </span>
        {row.unread > 0 && <CountBadge n={row.unread} fresh of={t("unread")} />}
      </Link>
    </li>
  );
}
