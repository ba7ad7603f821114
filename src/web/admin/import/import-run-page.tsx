import { useEffect } from "react";
import { redirect, useRevalidator } from "react-router";
import { requestUndo, resumeImport, getImport } from "#community/import-export";
import { notFound } from "#platform/refusal";
import { ButtonLink, Notice, PageHeader, pageMeta, RefusalNotice, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { translateFor } from "../../translate-for.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/import-run-page";
import { ImportCounts } from "./import-counts.tsx";
import { ImportActions } from "./import-actions.tsx";
import { toImportRunView } from "./import-run-view.ts";
import { FORMAT_NAMES, isImportActive, useImportStateLabels } from "./import-labels.ts";
import { Link } from "../../ui/navigation/link.tsx";

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const run = await getImport(db, viewer, params["runId"] ?? "");
  const { trouble, path, remarks, isLeft } = run;
  return {
    ...toImportRunView(run),
    trouble: trouble && translateFor(ctx, trouble),
    lies: path !== null,
    isLeft,
    remarks,
  };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  const runId = params["runId"] ?? "";
  const intent = form.get("intent");
  const includeNewContent = form.get("includeNewContent") === "yes";
  await app.database.inTransaction(async (tx) => {
    if (intent === "resume") await resumeImport(tx, viewer, runId);
    else if (intent === "undo") await requestUndo(tx, viewer, { runId, includeNewContent });
    else throw notFound();
  });
  return redirect(urls.importRun(runId));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ fileName }, t) => ({
  title: t("Import of {name}", { name: fileName }),
  hidden: true,
}));

const RELOAD_INTERVAL = 2_000;

export default function ImportRunPage({ loaderData: run }: Route.ComponentProps) {
  const t = useTranslate();
  const { words, tone } = useImportStateLabels()(run.state);
  const { revalidate } = useRevalidator();
  const working = isImportActive(run.state) && !run.isLeft;
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => void revalidate(), RELOAD_INTERVAL);
    return () => clearInterval(timer);
  }, [working, revalidate]);
  return (
    <>
      <PageHeader
        title={
          <span dir="auto" className="break-all">
            {run.fileName}
          </span>
        }
        lead={
          <>
            {FORMAT_NAMES[run.format] ?? run.format} · <Time at={run.createdAt} />
          </>
        }
        actions={<ButtonLink to={urls.imports()}>{t("All imports")}</ButtonLink>}
      />
      <RefusalNotice />
      <Notice tone={tone}>
        <p className="font-semibold first-letter:uppercase">{words}</p>
        {run.trouble && <p dir="auto">{run.trouble}</p>}
        {run.isLeft && <p>{t("The process ended before the import was finished.")}</p>}
        {working && (
          <p>
            {t("This page updates automatically.")} <Link to={urls.importRun(run.id)}>{t("Refresh")}</Link>
          </p>
        )}
      </Notice>
      <ImportActions run={run} />
      <ImportCounts counts={run.counts} isCheck={run.isCheck} />
      {run.problems > 0 && (
        <section aria-labelledby="remarks" className="mt-6">
          <h2 id="remarks" className="mb-1 font-serif text-large font-semibold">
            {t("{count, plural, one {# remark} other {# remarks}}", { count: run.problems })}
          </h2>
          <p className="mb-2">
            <a href={urls.importReport(run.id)} download>
              {t("Full report")}
            </a>
          </p>
          <ul className="border-t border-line text-small">
            {run.remarks.map(({ place, what }, i) => (
              <li key={i} className="border-b border-line py-1.5 break-words" dir="auto">
                <span className="text-quiet">{place}</span> {what}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
