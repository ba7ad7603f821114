import { importFor, reportOf } from "#community/transfer";
import { reading } from "../visit.ts";

/** The full report of a run as a text file. */
export const loader = reading(async ({ db, viewer, params }) => {
  const run = await importFor(db, viewer, params["runId"] ?? "");
  return new Response(await reportOf(db, run), {
    headers: { "content-type": "text/plain; charset=utf-8", "content-disposition": `attachment; filename="import-${run.id}.txt"` },
  });
});
