import { EnvironmentError } from "#platform/environment";
import type { IndexingProgress } from "#community/search";
import { withAppContext } from "../app/app.ts";
import { shareDatabaseServer } from "../app/open-database.ts";

/**
 * `npm run reindex`: rebuilds the search index. It may run while the server runs. If it is interrupted, the
 * next run continues from there.
 */
const [option, ...more] = process.argv.slice(2);
const sumIndexed = (progress: IndexingProgress) => progress.reduce((sum, { filed }) => sum + filed, 0);
const PRINT_INTERVAL = 1_000;

try {
  if (more.length > 0 || (option !== undefined && option !== "--on")) {
    console.error(
      "npm run reindex            indexes everything from the start\nnpm run reindex -- --on    " +
        "continues an interrupted run",
    );
    process.exitCode = 64;
  } else
    await withAppContext(async ({ search: { indexer, outside } }, { print }) => {
      if (option === undefined) await indexer.beginAgain();
      const began = performance.now();
      const before = sumIndexed(await indexer.progress());
      let printedAt = began;
      await indexer.finish((progress) => {
        if (performance.now() - printedAt < PRINT_INTERVAL) return;
        printedAt = performance.now();
        print(
          `  ${progress.map(({ index, filed, finished }) => `${index} ${filed}${finished ? "" : "…"}`).join("  ")}`,
        );
      });
      const done = sumIndexed(await indexer.progress()) - before;
      const seconds = (performance.now() - began) / 1_000;
      print(
        `${done} documents indexed (${seconds.toFixed(1)} s, ` +
          `${Math.round(done / Math.max(seconds, 0.001))} per second).`,
      );
      if (outside && option === undefined)
        print(`${await outside.rebuild()} of them were sent to the external search engine.`);
    }, shareDatabaseServer);
} catch (error) {
  console.error(error instanceof EnvironmentError ? `${error.variable} ${error.sentence}` : error);
  process.exitCode = 1;
}
