import { many, sql } from "#platform/database";
import type { TestDatabase } from "../setup/test-database.ts";
import { createImportSetup } from "./sample-archive.ts";
import { runImport, type Format, type ImportRun } from "../../../src/community/import-export/index.ts";
import { listProblems } from "../../../src/community/import-export/import/import-runs.ts";

/** Setup for adapter tests: imports a small archive twice and reads the tables. */
export function createAdapterSetup(database: TestDatabase, format: Format) {
  const { transfer, write, count } = createImportSetup(database);
  const { db } = database;
  return {
    write,
    count,
    async bring(path: string, site?: string): Promise<ImportRun> {
      const t = await transfer();
      const run = await runImport(t, { format, path, site, check: false, by: null });
      const before = [await count("posts"), await count("people"), await count("discussions")];
      await runImport(t, { format, path, site, check: false, by: null });
      const after = [await count("posts"), await count("people"), await count("discussions")];
      if (String(before) !== String(after))
        throw new Error(`A second run changed ${String(before)} to ${String(after)}.`);
      return run;
    },
    remarks: async (run: ImportRun) =>
      (await listProblems(db, run.id)).map(({ place, what }) => `${place}: ${what}`),
    /** Returns the posts with discussion, number, author, replied-to post and text. */
    posts: async () =>
      (
        await many(
          db,
          sql<{ title: string; number: number; by: string; to: number | null; body: string }>`
            select d.title, p.number, a.display_name as by, q.number as to, p.body_md as body
            from posts p join discussions d on d.id = p.discussion_id join people a on a.id = p.author_id left
            join posts q on q.id = p.reply_to
            order by d.created_at, d.id, p.number`,
        )
      ).map(({ title, number, by, to, body }) => [title, number, by, to, body]),
  };
}
