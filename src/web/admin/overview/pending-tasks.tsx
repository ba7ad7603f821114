import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { OverviewPage } from "./overview-page.tsx";

/** Content that waits for a decision, with the page for deciding. Kinds with nothing pending are left out. */
export function PendingTasks({ work }: Pick<OverviewPage, "work">) {
  const t = useTranslate();
  const tasks: [count: number, label: string, to: string][] = [
    [
      work.accounts,
      t("{count, plural, one {# pending member} other {# pending members}}", { count: work.accounts }),
      urls.accounts({ state: "pending_approval" }),
    ],
    [
      work.reports,
      t("{count, plural, one {# open report} other {# open reports}}", { count: work.reports }),
      urls.moderation(),
    ],
    [
      work.firstPosts,
      t("{count, plural, one {# pending post} other {# pending posts}}", { count: work.firstPosts }),
      urls.moderation({ tab: "posts" }),
    ],
    [
      work.groups,
      t("{count, plural, one {# pending group} other {# pending groups}}", { count: work.groups }),
      urls.groupsDesk(),
    ],
    [
      work.stuck,
      t("{count, plural, one {# failed job} other {# failed jobs}}", { count: work.stuck }),
      urls.failures(),
    ],
  ];
  const open = tasks.filter(([count]) => count > 0);
  if (open.length === 0) return <p className="text-quiet">{t("Nothing needs your attention.")}</p>;
  return (
    <ul className="flex flex-wrap gap-3">
      {open.map(([, label, to]) => (
        <li key={to}>
          <Link to={to} className="pending-task">
            {label}
            <i className="icon icon-chevron-right size-4 rtl:rotate-180" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
