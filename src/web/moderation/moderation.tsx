import { type ReportRow, reportsFor } from "#community/moderation";
import { membersOnly } from "../auth.ts";
import { asked } from "../forms.ts";
import { Empty, NextPage, PageHead, pageMeta, Tabs, Time } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/moderation";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, url }) => {
  const tab = asked(url, "tab") === "resolved" ? ("resolved" as const) : ("open" as const);
  return { tab, ...(await reportsFor(db, viewer, { tab, after: asked(url, "after", 1000) })) };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Reports"), hidden: true }));

export default function Moderation({ loaderData: { tab, rows, next } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Reports")} lead={t("Messages that members showed to those who look after this place.")} />
      <Tabs
        label={t("Reports")}
        tabs={[
          { to: urls.moderation(), label: t("Open"), current: tab === "open" },
          { to: urls.moderation({ tab: "resolved" }), label: t("Done"), current: tab === "resolved" },
        ]}
      />
      {rows.length === 0 && (
        <div className="mt-5">
          <Empty title={tab === "open" ? t("Nothing is waiting.") : t("Nothing is done yet.")} />
        </div>
      )}
      <ul>
        {rows.map((row) => (
          <ReportLine key={row.id} row={row} />
        ))}
      </ul>
      <NextPage to={next && urls.moderation({ tab, after: next })} />
    </>
  );
}

function ReportLine({ row }: { row: ReportRow }) {
  const t = useWords();
  const names = row.authors.map(({ name }) => name).join(", ");
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <Link to={urls.report(row.id)} className="block text-ink no-underline hover:underline">
        <span dir="auto" className="block font-semibold">
          {t("About {names}", { names })}
        </span>
        <span dir="auto" className="line-clamp-2">
          {row.reason}
        </span>
      </Link>
      <p className="text-small text-quiet">
        {t("Reported by {name}", { name: row.reporter.name })} · <Time at={row.createdAt} />
      </p>
    </li>
  );
}
