// Builds the pages for the launcher if their sources have changed.
import * as fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runNode, runTimed, StopError } from "./child-process.mjs";
import { readJson, sha1, writeStamp } from "./stamps.mjs";

const BUILD_STAMP = "build/.stamp";

/**
 * Hashes the contents of the files, because their times change with every checkout. Reading a few hundred
 * small files is quick.
 */
function hashSources() {
  const below = (folder) =>
    fs.existsSync(folder)
      ? fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
      : [];
  const sources = [
    ...below("src"),
    ...below("public"),
    "vite.config.ts",
    "react-router.config.ts",
    "package-lock.json",
  ];
  const files = sources.filter(
    (path) => !/\.test\.tsx?$/.test(path) && fs.statSync(path, { throwIfNoEntry: false })?.isFile(),
  );
  return sha1(files.sort((a, b) => (a < b ? -1 : 1)).flatMap((path) => [path, fs.readFileSync(path)]));
}

export const isBuilt = () =>
  fs.existsSync(BUILD_STAMP) && fs.readFileSync(BUILD_STAMP, "utf8") === hashSources();

export async function build(node) {
  const hash = hashSources();
  fs.rmSync(BUILD_STAMP, { force: true });
  const tool = "node_modules/@react-router/dev";
  const program = join(tool, Object.values(readJson(join(tool, "package.json")).bin)[0]);
  await runTimed("Building the pages", async () => {
    const { code, output } = await runNode(node, [program, "build"], {
      env: { ...process.env, NODE_ENV: "production" },
      quiet: true,
    });
    if (code !== 0) throw new StopError(`${output.trim()}\n\nThe build failed: see the reason above.`);
  });
  writeStamp(BUILD_STAMP, hash);
}
