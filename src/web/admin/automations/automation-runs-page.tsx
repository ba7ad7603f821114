import { getAutomation, listRuns, type RunRow } from "#baas/automations";
import { readQueryParam } from "../../form-parsing.ts";
import { ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta, Tag, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { translateFor } from "../../translate-for.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/automation-runs-page";
import { useRunStateLabels } from "./automation-labels.ts";
import { assertAdmin } from "../admin-access.ts";

export const loader = defineLoader(async ({ ctx, app, viewer, params, url }) => {
  assertAdmin(viewer);
  const { id, name } = await getAutomation(app.flows, { id: params["flowId"] ?? "" });
  const { rows, next } = await listRuns(app.flows, id, readQueryParam(url, "after"));
  return {
    id,
    name,
    runs: rows.map((it) => ({ ...it, fault: it.fault && translateFor(ctx, it.fault) })),
    next,
  };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((data, t) => ({
  title: t("Runs of {name}", { name: data?.name ?? "" }),
  hidden: true,
}));

export default function AutomationRunsPage({ loaderData: { id, name, runs, next } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={<span dir="auto">{t("Runs of {name}", { name })}</span>}
        lead={t("Latest first. Kept for 30 days, at most 1,000.")}
        actions={<ButtonLink to={urls.flow(id)}>{t("Automation")}</ButtonLink>}
      />
      {runs.length === 0 && <EmptyState title={t("No runs yet.")} />}
      <ul className="border-t border-line empty:hidden">
        {runs.map((run) => (
          <RunListItem key={run.id} flowId={id} run={run} />
        ))}
      </ul>
      <NextPageLink to={next && urls.flowRuns(id, { after: next })} />
    </>
  );
}

function RunListItem({
  flowId,
  run: { id, trigger, state, fault, steps, createdAt },
}: {
  flowId: string;
  run: Omit<RunRow, "fault"> & { fault: string | null };
}) {
  const t = useTranslate();
  const { words, tone } = useRunStateLabels()[state]!;
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link to={urls.flowRun(flowId, id)} className="font-semibold">
          <Time at={createdAt} />
        </Link>
        <span className={tone === "bad" ? "text-red" : ""}>
          <Tag>{words}</Tag>
        </span>
        <span className="text-small text-quiet" dir="auto">
          {trigger} · {t("{count, plural, one {# step} other {# steps}}", { count: steps })}
        </span>
      </p>
      {fault && (
        <p className="text-small break-words text-red" dir="auto">
          {fault}
        </p>
      )}
    </li>
  );
}
