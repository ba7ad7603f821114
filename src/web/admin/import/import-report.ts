import { getImport, createImportReport } from "#community/import-export";
import { defineLoader } from "../../request-context.ts";

/** The full report of a run as a text file. */
export const loader = defineLoader(async ({ db, viewer, params }) => {
  const run = await getImport(db, viewer, params["runId"] ?? "");
  return new Response(await createImportReport(db, run), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="import-${run.id}.txt"`,
    },
  });
});
