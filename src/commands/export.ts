import { EnvironmentError } from "#platform/environment";
import { Refusal } from "#platform/refusal";
import { exportCommunity } from "#community/import-export";
import { withAppContext } from "../app/app.ts";
import { shareDatabaseServer } from "../app/open-database.ts";

/**
 * `npm run export -- <path>`: exports the whole community as a folder or zip. It may run while the server
 * runs.
 */
const [path, ...more] = process.argv.slice(2);

try {
  if (!path || more.length > 0) {
    console.error("npm run export -- <path>     a new folder, or a name that ends in .zip");
    process.exitCode = 64;
  } else
    await withAppContext(async (app, { print }) => {
      const began = Date.now();
      const { records, files, missing } = await exportCommunity(app, path);
      for (const [kind, many] of Object.entries(records)) print(`  ${kind}: ${many}`);
      if (missing > 0) print(`  The content of ${missing} files is missing.`);
      const memory = Math.round(process.resourceUsage().maxRSS / 1024);
      print(
        `Exported to ${path}, with ${files} files (${((Date.now() - began) / 1000).toFixed(1)} s, ${memory} MB).`,
      );
      print("It contains addresses and private messages: store it safely.");
    }, shareDatabaseServer);
} catch (error) {
  console.error(
    error instanceof EnvironmentError
      ? `${error.variable} ${error.sentence}`
      : error instanceof Refusal
        ? error.message
        : error,
  );
  process.exitCode = 1;
}
