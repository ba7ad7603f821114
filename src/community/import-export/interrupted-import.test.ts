import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { runImport, undoImport } from "./index.ts";
import {
  writeSampleArchive,
  count,
  countTables,
  database,
  db,
  transfer,
  importOptions,
} from "../../../test/support/import-export/import-setup.ts";

describe("an import run that is killed halfway", () => {
  test(
    "blocks other runs, then resumes without duplicates or gaps and can be undone",
    { timeout: 60_000 },
    async () => {
      const t = await transfer();
      const path = await writeSampleArchive(2_500);
      const before = await countTables();
      // The child process stops after its first batch and is killed there.
      const child = spawn(process.execPath, ["test/support/import-export/hanging-import.ts"], {
        env: { ...process.env, CONNECTION: JSON.stringify(database.connection), ARCHIVE: path },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      await expect(runImport(t, { ...importOptions, path })).rejects.toMatchObject({ reason: "conflict" });
      child.kill("SIGKILL");
      await once(child, "exit");
      await many(
        db,
        sql`select pg_terminate_backend(pid, 10000) from pg_locks
          where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())`,
      );
      const half = await count("posts");
      expect(half).toBeGreaterThan(0);
      expect(half).toBeLessThan(2_501);

      const run = await runImport(t, { ...importOptions, path });
      expect([run.state, run.counts.post?.made, await count("posts"), await count("import_runs")]).toEqual([
        "done",
        2_501,
        2_501,
        1,
      ]);
      const { numbers, most } = await one(
        db,
        sql<{
          numbers: number;
          most: number;
        }>`select count(distinct number)::int as numbers, max(number) as most from posts
          where discussion_id is not null`,
      );
      expect([numbers, most]).toEqual([2_500, 2_500]);

      const undone = await undoImport(t, { runId: run.id, by: null, includeNewContent: false });
      expect([
        undone.state,
        await countTables(),
        await count("imported_records"),
        await count("imported_accounts"),
      ]).toEqual(["undone", before, 0, 0]);
    },
  );
});
