import { reportsFor } from "#community/moderation";
import { membersOnly } from "../auth.ts";
import { asked } from "../forms.ts";
import { Empty, NextPage, PageHead, pageMeta, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/moderation";
import { ReportList } from "./report-list.tsx";

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
      <PageHead title={t("Reports")} lead={t("What members showed to those who look after it.")} />
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
      <ReportList rows={rows} />
      <NextPage to={next && urls.moderation({ tab, after: next })} />
    </>
  );
}
