import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const asked = (...words: string[]) =>
  spawnSync(process.execPath, ["src/commands/import.ts", ...words], { encoding: "utf8" });

test.each<[words: string[], sentence: string]>([
  [[], "Say which format, and which file or folder."],
  [["stackexchange", "meta"], "“stackexchange” is none of the formats."],
  [["ndjson"], "Say which file or folder to import."],
  [
    ["mbox", "My", "list.mbox"],
    "One file or folder at a time: “list.mbox” is one too many. Put quotes around a path with spaces.",
  ],
  [["--undo", "018f", "ndjson"], "--undo takes back a run: it takes no format and no path."],
])(
  "an import called with %j prints what is wrong, then its usage",
  { timeout: 30_000 },
  (words, sentence) => {
    const { status, stderr } = asked(...words);
    expect(status).toBe(64);
    const [first, , how] = stderr.split("\n");
    expect(first).toBe(sentence);
    expect(how).toMatch(/^npm run import -- <format> <path> \[options\] {5}formats: ndjson, /);
  },
);
