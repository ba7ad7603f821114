import { useEffect } from "react";
import { redirect, useRevalidator } from "react-router";
import { runBy, type StepLine, stopRun, timelineOf } from "#backend/flows";
import { notFound } from "#platform/refusal";
import { asked } from "../forms.ts";
import { Act } from "../people/act.tsx";
import { ButtonLink, Empty, NextPage, Notice, PageHead, pageMeta, RefusalNotice, Tag, Time } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading, said } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/flow-run";
import { Part } from "./flow-parts.tsx";
import { formKindOf } from "./flow-forms.ts";
import { useKindWords, useRunWords } from "./flow-words.ts";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };
const LOOK_AGAIN = 2_000;

export const loader = reading(async ({ visit, house, viewer, params, url }) => {
  assertAdmin(viewer);
  const { context, fault, ...run } = await runBy(house.flows, params["runId"] ?? "");
  if (run.flowId !== params["flowId"]) throw notFound();
  const { rows, next } = await timelineOf(house.flows, run.id, Math.min(Number(asked(url, "from", 6)) || 0, 100_000));
  return {
    run: { ...run, fault: fault && said(visit, fault) },
    steps: rows.map((it) => ({ ...it, words: it.words && said(visit, it.words) })),
    next,
    context: cut(JSON.stringify(context, null, 2)),
  };
});

/** Characters of the context shown on the page; the API returns all of it. */
const MOST_SHOWN = 50_000;
const cut = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

type RunData = Awaited<ReturnType<typeof loader>>;

export const action = acting(async ({ house, viewer, form, params }) => {
  assertAdmin(viewer);
  const { id, flowId } = await runBy(house.flows, params["runId"] ?? "");
  if (form.get("intent") !== "stop") throw notFound();
  await stopRun(house.flows, id);
  await noted(house, viewer, "flow.stop", id);
  return redirect(urls.flowRun(flowId, id));
});

export const meta = pageMeta<RunData>((data, t) => ({ title: t("A run of {name}", { name: data?.run.flowName ?? "" }), hidden: true }));

export default function FlowRunPage({ loaderData: { run, steps, next, context } }: Route.ComponentProps) {
  const t = useWords();
  const { words, tone } = useRunWords()[run.state]!;
  const { revalidate } = useRevalidator();
  const working = run.endedAt === null;
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => void revalidate(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [working, revalidate]);
  return (
    <>
      <PageHead
        title={<span dir="auto">{t("A run of {name}", { name: run.flowName })}</span>}
        lead={
          <>
            <bdi>{run.trigger}</bdi> · <Time at={run.createdAt} />
          </>
        }
        actions={
          <>
            <ButtonLink to={urls.flowRuns(run.flowId)}>{t("All runs")}</ButtonLink>
            <ButtonLink to={urls.flow(run.flowId)}>{t("The automation")}</ButtonLink>
          </>
        }
      />
      <RefusalNotice />
      <Notice tone={tone}>
        <p className="font-semibold first-letter:uppercase">{words}</p>
        {run.fault && <p dir="auto">{run.fault}</p>}
        {working && <Working run={run} />}
      </Notice>
      {working && (
        <div className="mt-3">
          <Act intent="stop" fields={{}} kind="danger" busy="…">
            {t("Stop the run")}
          </Act>
        </div>
      )}
      <Part id="timeline" title={t("Step by step")}>
        {steps.length === 0 && <Empty title={t("Nothing was done yet.")} />}
        <ol className="border-t border-line empty:hidden">
          {steps.map((step) => (
            <Step key={step.n} step={step} />
          ))}
        </ol>
        <NextPage to={next === null ? null : urls.flowRun(run.flowId, run.id, { from: String(next) })} />
      </Part>
      <Part id="context" title={t("What it knows")}>
        <pre className="font-mono text-small break-words whitespace-pre-wrap" dir="ltr">
          {context}
        </pre>
      </Part>
    </>
  );
}

function Working({ run }: Pick<RunData, "run">) {
  const t = useWords();
  return (
    <>
      {run.waitingFor && <p dir="auto">{t("It waits for: {name}", { name: run.waitingFor })}</p>}
      {run.state === "waiting" && run.dueAt && (
        <p>
          <Rich text="It goes on <0></0> at the latest." parts={[<Time at={run.dueAt} />]} />
        </p>
      )}
      <p>
        {t("This page keeps up by itself.")} <Link to={urls.flowRun(run.flowId, run.id)}>{t("Look again")}</Link>
      </p>
    </>
  );
}

function Step({ step: { place, kind, name, attempt, startedAt, endedAt, outcome, words } }: { step: StepLine }) {
  const t = useWords();
  const kinds = useKindWords();
  const states = useRunWords();
  const state = states[outcome ?? "running"]!;
  const kindWords = kinds[formKindOf("steps", kind)];
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
