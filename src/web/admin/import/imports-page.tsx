import { join } from "node:path";
import { redirect } from "react-router";
import { invalid } from "#platform/refusal";
import {
  listServerArchives,
  startImport,
  requireImporter,
  listImports,
  NewImport,
  listImportSources,
  UPLOADS_FOLDER,
} from "#community/import-export";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/imports-page";
import { receiveArchive } from "./receive-archive.ts";
import { ImportRow } from "./import-row.tsx";
import { toImportRunView } from "./import-run-view.ts";
import { NewImportForm } from "./new-import-form.tsx";

export const loader = defineLoader(async ({ db, app, viewer, url }) => {
  const { rows, next } = await listImports(db, viewer, { after: readQueryParam(url, "after", 500) });
  const [archives, sources] = [await listServerArchives(app.imports), await listImportSources(db, viewer)];
  return { runs: rows.map(toImportRunView), next, archives, sources, folder: app.imports };
});

/** The archive is not read into memory with the rest of the form, but streamed to disk. */
export const action = defineAction(
  async ({ app, viewer, form }) => {
    const input = parseForm(NewImport, form);
    const [sent, lying] = [form.get("path"), form.get("archive")];
    const known =
      typeof lying === "string" && (await listServerArchives(app.imports)).includes(lying) ? lying : null;
    if (typeof sent !== "string" && known === null) throw invalid("file", "Choose an archive.");
    const archive =
      typeof sent === "string"
        ? { path: sent, fileName: String(form.get("fileName")) }
        : { path: join(app.imports, known!), fileName: known! };
    const { id } = await app.database.inTransaction((tx) =>
      startImport(tx, viewer, { ...input, ...archive }),
    );
    return redirect(urls.importRun(id));
  },
  async ({ app, viewer, request }) => {
    requireImporter(viewer);
    return receiveArchive(request, join(app.imports, UPLOADS_FOLDER));
  },
);

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Imports"),
  hidden: true,
}));

export default function Imports({
  loaderData: { runs, next, archives, sources, folder },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Imports")}
        lead={t("Import content from another platform. You see a preview before anything is imported.")}
      />
      <NewImportForm archives={archives} sources={sources} folder={folder} />
      <section aria-labelledby="runs" className="mt-8">
        <h2 id="runs" className="mb-2 font-serif text-large font-semibold">
          {t("History")}
        </h2>
        {runs.length === 0 ? (
          <EmptyState title={t("No imports yet.")}>
            {t("Each import is listed with its counts and report, and can be undone.")}
          </EmptyState>
        ) : (
          <ul className="border-t border-line">
            {runs.map((run) => (
              <ImportRow key={run.id} run={run} />
            ))}
          </ul>
        )}
        <NextPageLink to={next && urls.imports({ after: next })} />
      </section>
    </>
  );
}
