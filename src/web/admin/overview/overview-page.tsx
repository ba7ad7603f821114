import { readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { ReactNode } from "react";
import { getOverview } from "#community/overview";
import { PageHeader, pageMeta } from "../../ui/index.ts";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/overview-page";
import { assertAdmin } from "../admin-access.ts";
import { PendingTasks } from "./pending-tasks.tsx";
import { ServerHealth } from "./server-health.tsx";
import { TrendCards } from "./trend-cards.tsx";

export const loader = defineLoader(async ({ db, viewer, ctx, app }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  // The free space is that of the parent folder, because the imports folder is only created on first use.
  const disk = await statfs(dirname(app.imports)).catch(() => null);
  const free = disk && disk.bavail * disk.bsize;
  return { ...(await getOverview(db, viewer, ctx.now)), freeBytes: free, version: await readVersionNumber() };
});

/** The app version, from the package file in the folder that this process was started from. */
async function readVersionNumber(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile("package.json", "utf8"));
  return version;
}

export type OverviewPage = Route.ComponentProps["loaderData"];
export const meta = pageMeta<OverviewPage>((_data, t) => ({ title: t("Overview"), hidden: true }));

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Overview")} lead={t("How the community is doing.")} />
      <OverviewSection title={t("Needs attention")}>
        <PendingTasks work={loaderData.work} />
      </OverviewSection>
      <OverviewSection title={t("Last seven days")}>
        <TrendCards weeks={loaderData.weeks} />
      </OverviewSection>
      <OverviewSection title={t("Community")}>
        <CommunityFigures people={loaderData.people} talk={loaderData.talk} />
      </OverviewSection>
      <OverviewSection title={t("Server")}>
        <ServerHealth {...loaderData} />
      </OverviewSection>
    </>
  );
}

function OverviewSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8" aria-label={title}>
      <h2 className="mb-3 font-serif text-large font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function CommunityFigures({ people, talk }: Pick<OverviewPage, "people" | "talk">) {
  const t = useTranslate();
  const locale = useLocale();
  const figures: [what: string, count: number, to?: string][] = [
    [t("Members"), people.members, urls.accounts()],
    [t("Active today"), people.today],
    [t("Active this week"), people.thisWeek],
    [t("Active this month"), people.thisMonth],
    [t("Discussions started in 30 days"), talk.discussions, urls.discussions()],
    [t("Of these, unanswered"), talk.unanswered],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 phone:grid-cols-3 wide:grid-cols-6">
      {figures.map(([what, count, to]) => (
        <div key={what} className="flex flex-col-reverse justify-end">
          <dt className="text-small text-quiet">{to ? <Link to={to}>{what}</Link> : what}</dt>
          <dd className="text-title font-semibold tabular-nums">{numberFormat(locale).format(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
