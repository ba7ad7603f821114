import { readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { ReactNode } from "react";
import { getOverview } from "#community/overview";
import { PageHeader, pageMeta } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/overview-page";
import { assertAdmin } from "./admin-access.ts";
import { useOverviewFigures } from "./overview-figures.ts";

export const loader = defineLoader(async ({ db, viewer, ctx, app }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  // The imports folder is created on first use; its parent always exists.
  const disk = await statfs(dirname(app.imports)).catch(() => null);
  const free = disk && disk.bavail * disk.bsize;
  return { ...(await getOverview(db, viewer, ctx.now)), freeBytes: free, version: await readVersionNumber() };
});

/** The app version, from the package file in the folder that this process was started from. */
const readVersionNumber = async (): Promise<string> =>
  (JSON.parse(await readFile("package.json", "utf8")) as { version: string }).version;

export type OverviewPage = Route.ComponentProps["loaderData"];
export const meta = pageMeta<OverviewPage>((_data, t) => ({ title: t("Overview"), hidden: true }));

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const parts = useOverviewFigures(loaderData);
  return (
    <>
      <PageHeader title={t("Overview")} lead={t("How the community is doing.")} />
      {parts.map(({ title, figures }) => (
        <OverviewSection key={title} title={title}>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 phone:grid-cols-4">
            {figures.map(({ what, how, to }) => (
              <div key={what} className="flex flex-col-reverse justify-end">
                <dt className="text-small text-quiet">{to ? <Link to={to}>{what}</Link> : what}</dt>
                <dd className="text-title font-semibold tabular-nums">{how}</dd>
              </div>
            ))}
          </dl>
        </OverviewSection>
      ))}
    </>
  );
}

function OverviewSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8">
      <h2 className="mb-3 text-body font-semibold">{title}</h2>
      {children}
    </section>
  );
}
