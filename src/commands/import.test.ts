import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const runImport = (...words: string[]) =>
  spawnSync(process.execPath, ["src/commands/import.ts", ...words], { encoding: "utf8" });

test.each<[words: string[], sentence: string]>([
  [[], "Give a format, and a file or folder."],
  [["stackexchange", "meta"], "“stackexchange” is not a known format."],
  [["ndjson"], "Give a file or folder to import."],
  [
    ["mbox", "My", "list.mbox"],
    "Give one file or folder only: “list.mbox” is too many. Put quotes around a path with spaces.",
  ],
  [["--undo", "018f", "ndjson"], "--undo takes a run, and no format or path."],
])("an import called with %j prints the error, then its usage", { timeout: 30_000 }, (words, sentence) => {
  const { status, stderr } = runImport(...words);
  expect(status).toBe(64);
  const [first, , how] = stderr.split("\n");
  expect(first).toBe(sentence);
  expect(how).toMatch(/^npm run import -- <format> <path> \[options\] {5}formats: ndjson, /);
});
