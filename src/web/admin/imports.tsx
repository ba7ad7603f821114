import { join } from "node:path";
import { redirect } from "react-router";
import { invalid } from "#platform/refusal";
import { archivesIn, beginImport, bringer, importsFor, NewImport, sourcesFor, UPLOADS } from "#community/transfer";
import { asked, parseForm } from "../forms.ts";
import { Empty, NextPage, PageHead, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, visitContext } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/imports";
import { archiveSent } from "./archive-sent.ts";
import { ImportLine } from "./import-line.tsx";
import { shownRun } from "./import-shown.ts";
import { NewImportForm } from "./new-import-form.tsx";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, house, viewer, url }) => {
  const { rows, next } = await importsFor(db, viewer, { after: asked(url, "after", 500) });
  const [archives, sources] = [await archivesIn(house.imports), await sourcesFor(db, viewer)];
  return { runs: rows.map(shownRun), next, archives, sources, folder: house.imports };
});

const begin = acting(async ({ house, viewer, form }) => {
  const input = parseForm(NewImport, form);
  const [sent, lying] = [form.get("path"), form.get("archive")];
  const known = typeof lying === "string" && (await archivesIn(house.imports)).includes(lying) ? lying : null;
  if (typeof sent !== "string" && known === null) throw invalid("file", "Choose an archive.");
  const archive =
    typeof sent === "string"
      ? { path: sent, fileName: String(form.get("fileName")) }
      : { path: join(house.imports, known!), fileName: known! };
  const { id } = await house.database.inTransaction((tx) => beginImport(tx, viewer, { ...input, ...archive }));
  return redirect(urls.importRun(id));
});

/** The archive is not read into memory with the rest of the form: it streams to disk. */
export const action = async (args: Route.ActionArgs) => {
  const { house, viewer } = args.context.get(visitContext);
  const { headers, url } = args.request;
  const formData = async () => {
    bringer(viewer);
    return archiveSent(args.request, join(house.imports, UPLOADS));
  };
  return begin({ ...args, request: { headers, url, formData } as Request });
};

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Imports"), hidden: true }));

export default function Imports({ loaderData: { runs, next, archives, sources, folder } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Imports")}
        lead={t("Bring in what a community has written elsewhere. First it is looked at, and nothing comes before you say so.")}
      />
      <NewImportForm archives={archives} sources={sources} folder={folder} />
      <section aria-labelledby="runs" className="mt-8">
        <h2 id="runs" className="mb-2 font-serif text-large font-semibold">
          {t("So far")}
        </h2>
        {runs.length === 0 ? (
          <Empty title={t("Nothing has been brought in yet.")}>
            {t("Each import stands here with its counts and its report, and can be taken back.")}
          </Empty>
        ) : (
          <ul className="border-t border-line">
            {runs.map((run) => (
              <ImportLine key={run.id} run={run} />
            ))}
          </ul>
        )}
        <NextPage to={next && urls.imports({ after: next })} />
      </section>
    </>
  );
}
