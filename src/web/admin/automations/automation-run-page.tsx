import { useEffect } from "react";
import { redirect, useRevalidator } from "react-router";
import { getRun, type StepRow, stopRun, listRunSteps } from "#baas/automations";
import { notFound } from "#platform/refusal";
import { readQueryParam } from "../../form-parsing.ts";
import { ActionForm } from "../../people/action-form.tsx";
import {
  ButtonLink,
  EmptyState,
  NextPageLink,
  Notice,
  PageHeader,
  pageMeta,
  RefusalNotice,
  Tag,
  Time,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { translateFor } from "../../translate-for.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/automation-run-page";
import { PageSection } from "./automation-sections.tsx";
import { itemFormKind } from "./automation-form-fields.ts";
import { useItemKindLabels, useRunStateLabels } from "./automation-labels.ts";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";

const RELOAD_INTERVAL = 2_000;

export const loader = defineLoader(async ({ ctx, app, viewer, params, url }) => {
  assertAdmin(viewer);
  const { context, fault, ...run } = await getRun(app.flows, params["runId"] ?? "");
  if (run.flowId !== params["flowId"]) throw notFound();
  const { rows, next } = await listRunSteps(
    app.flows,
    run.id,
    Math.min(Number(readQueryParam(url, "from", 6)) || 0, 100_000),
  );
  return {
    run: { ...run, fault: fault && translateFor(ctx, fault) },
    steps: rows.map((it) => ({ ...it, words: it.words && translateFor(ctx, it.words) })),
    next,
    context: truncateText(JSON.stringify(context, null, 2)),
  };
});

/** Maximum characters of the context on the page; the API returns all of it. */
const MAX_SHOWN_LENGTH = 50_000;
const truncateText = (text: string) =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;

type RunData = Awaited<ReturnType<typeof loader>>;

export const action = defineAction(async ({ app, viewer, form, params }) => {
  assertAdmin(viewer);
  const { id, flowId } = await getRun(app.flows, params["runId"] ?? "");
  if (form.get("intent") !== "stop") throw notFound();
  await stopRun(app.flows, id);
  await auditAdminAction(app, viewer, "flow.stop", id);
  return redirect(urls.flowRun(flowId, id));
});

export const meta = pageMeta<RunData>((data, t) => ({
  title: t("Run of {name}", { name: data?.run.flowName ?? "" }),
  hidden: true,
}));

export default function AutomationRunPage({
  loaderData: { run, steps, next, context },
}: Route.ComponentProps) {
  const t = useTranslate();
  const { words, tone } = useRunStateLabels()[run.state]!;
  const { revalidate } = useRevalidator();
  const working = run.endedAt === null;
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => void revalidate(), RELOAD_INTERVAL);
    return () => clearInterval(timer);
  }, [working, revalidate]);
  return (
    <>
      <PageHeader
        title={<span dir="auto">{t("Run of {name}", { name: run.flowName })}</span>}
        lead={
          <>
            <bdi>{run.trigger}</bdi> · <Time at={run.createdAt} />
          </>
        }
        actions={
          <>
            <ButtonLink to={urls.flowRuns(run.flowId)}>{t("All runs")}</ButtonLink>
            <ButtonLink to={urls.flow(run.flowId)}>{t("Automation")}</ButtonLink>
          </>
        }
      />
      <RefusalNotice />
      <Notice tone={tone}>
        <p className="font-semibold first-letter:uppercase">{words}</p>
        {run.fault && <p dir="auto">{run.fault}</p>}
        {working && <RunProgress run={run} />}
      </Notice>
      {working && (
        <div className="mt-3">
          <ActionForm intent="stop" fields={{}} kind="danger" busy="…">
            {t("Stop run")}
          </ActionForm>
        </div>
      )}
      <PageSection id="timeline" title={t("Steps")}>
        {steps.length === 0 && <EmptyState title={t("No steps yet.")} />}
        <ol className="border-t border-line empty:hidden">
          {steps.map((step) => (
            <RunStepRow key={step.n} step={step} />
          ))}
        </ol>
        <NextPageLink to={next === null ? null : urls.flowRun(run.flowId, run.id, { from: String(next) })} />
      </PageSection>
      <PageSection id="context" title={t("Data")}>
        <pre className="font-mono text-small break-words whitespace-pre-wrap" dir="ltr">
          {context}
        </pre>
      </PageSection>
    </>
  );
}

function RunProgress({ run }: Pick<RunData, "run">) {
  const t = useTranslate();
  return (
    <>
      {run.waitingFor && <p dir="auto">{t("Waiting for: {name}", { name: run.waitingFor })}</p>}
      {run.state === "waiting" && run.dueAt && (
        <p>
          <Rich text="The run continues <0></0> at the latest." parts={{ 0: <Time at={run.dueAt} /> }} />
        </p>
      )}
      <p>
        {t("This page updates automatically.")}{" "}
        <Link to={urls.flowRun(run.flowId, run.id)}>{t("Refresh")}</Link>
      </p>
    </>
  );
}

function RunStepRow({
  step: { place, kind, name, attempt, startedAt, endedAt, outcome, words },
}: {
  step: Omit<StepRow, "words"> & { words: string | null };
}) {
  const t = useTranslate();
  const kinds = useItemKindLabels();
  const states = useRunStateLabels();
  const state = states[outcome ?? "running"]!;
  const kindWords = kinds[itemFormKind("steps", kind)];
  const took = endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime());
  return (
    <li className="border-b border-line py-2">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-semibold break-words" dir="auto">
          {name || kindWords}
        </span>
        <Tag>{state.words}</Tag>
        <span className="text-small text-quiet">
          <span className="font-mono" dir="ltr">
            {place}
          </span>{" "}
          · <Time at={startedAt} />
          {took !== null && outcome !== "waiting" && <> · {t("{count} ms", { count: took })}</>}
          {attempt > 1 && <> · {t("attempt {count}", { count: attempt })}</>}
        </span>
      </p>
      {words && (
        <p className={`text-small break-words ${state.tone === "bad" ? "text-red" : "text-quiet"}`}>
          <bdi>{words}</bdi>
        </p>
      )}
    </li>
  );
}
