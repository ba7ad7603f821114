import { useState } from "react";
import { useLocation } from "react-router";
import type { SidebarRow } from "#community/discussions";
import { useFreshRows } from "../live/beside.ts";
import { Count } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { linePart } from "../ui/line-part.tsx";
import { Link } from "../ui/link.tsx";
import { EVERYTHING, Further, NarrowBeside, narrowed } from "./narrow-beside.tsx";

/** `group` is null where the list is not of one group (home). */
export type SidebarData = { group: { slug: string; name: string } | null; rows: SidebarRow[] };

/** This group's discussions beside the page: pinned on top, then unread, the current one marked; all of them, those with a word, or one's own. */
export function DiscussionsSidebar({ data, asOf }: { data: SidebarData; asOf?: number }) {
  const t = useWords();
  const { group } = data;
  const rows = useFreshRows(data, asOf);
  const [wanted, setWanted] = useState(EVERYTHING);
  const shown = narrowed(rows, wanted);
  const title = group ? t("Discussions in {group}", { group: group.name }) : t("Discussions");
  return (
    <nav aria-label={title} className="mb-6">
      <h2 className="mb-1 px-2.5 text-small font-semibold text-quiet">
        {group ? (
          <Link to={urls.group(group.slug)} className="text-quiet no-underline hover:underline">
            {group.name}
          </Link>
        ) : (
          t("Discussions")
        )}
      </h2>
      {group && rows.length > 0 && <NarrowBeside group={group} wanted={wanted} onChange={setWanted} />}
      {rows.length === 0 && <p className="px-2.5 text-quiet">{t("Nothing has been started here yet.")}</p>}
      <Lines rows={shown} />
      {group && rows.length > 0 && <Further group={group} wanted={wanted} none={shown.length === 0} />}
    </nav>
  );
}

function Lines({ rows }: { rows: SidebarRow[] }) {
  const { pathname } = useLocation();
  return (
    <ul>
      {rows.map((row) => (
        <DiscussionBeside key={row.id} row={row} here={pathname === urls.discussion(row.id)} />
      ))}
    </ul>
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
