import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { sampleArchive, archiveText } from "../../../test/support/import-export/sample-archive.ts";
import { runImport } from "./index.ts";
import {
  count,
  db,
  describeProblems,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

describe("import of invalid files", () => {
  test("skips missing or mismatched files together with the records that need them", async () => {
    const records = sampleArchive().map((it) => ("path" in it ? { ...it, sha256: "0".repeat(64) } : it));
    const wrong: Record<string, string>[] = [{}, { "files/heap.txt": "other bytes" }];
    for (const files of wrong) {
      const imported = await runImport(await transfer(), {
        ...importOptions,
        path: await write({ "community.ndjson": archiveText(...records), ...files }),
      });
      expect([
        imported.counts.file?.refused,
        imported.counts.resource?.refused,
        await count("uploads"),
      ]).toEqual([1, 1, 0]);
    }
  });

  test("accepts a file up to the limit in the settings, but a picture only up to the fixed limit", async () => {
    const t = await transfer();
    const large = Buffer.alloc(26_000_000, "heap ");
    const picture = {
      type: "file",
      id: "pic",
      as: "picture",
      path: "files/pic",
      owner: "plato",
      createdAt: "2019-03-01",
    };
    const path = await write({
      "community.ndjson": archiveText(...sampleArchive(), picture),
      "files/heap.txt": large,
      "files/pic": large,
    });
    const looked = async (check: boolean) => {
      const { id, counts } = await runImport(t, { ...importOptions, path, check });
      return {
        refused: counts.file?.refused,
        problems: (await describeProblems(id))
          .filter((it) => it.includes("larger"))
          .map((it) => it.replace(/^.*Skipped: /, "")),
      };
    };
    const tooLarge = {
      refused: 2,
      problems: ["files/heap.txt", "files/pic"].map(
        (it, i) => `${it} is larger than 25 MB, the limit for a ${i ? "picture" : "file"}.`,
      ),
    };
    expect(await looked(true)).toEqual(tooLarge);
    await run(db, sql`insert into settings (key, value, changed_at) values ('fileMegabytes', '30', now())`);
    for (const check of [true, false])
      expect(await looked(check)).toEqual({ refused: 1, problems: tooLarge.problems.slice(1) });
    expect(await many(db, sql<{ size: number }>`select size::int from uploads`)).toEqual([
      { size: 26_000_000 },
    ]);
  });

  test("refuses a path outside the archive", async () => {
    const outside = sampleArchive().map((it) => ("path" in it ? { ...it, path: "../../etc/passwd" } : it));
    const imported = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": archiveText(...outside) }),
    });
    expect(await describeProblems(imported.id)).toContainEqual(
      expect.stringContaining("there is no ../../etc/passwd in the archive"),
    );
  });
});
