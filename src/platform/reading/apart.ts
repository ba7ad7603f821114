import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { nothing, type ReadFile } from "./found.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Maximum bytes of a file, and of the reader's output. */
const MOST_BYTES = 200_000_000;
const MOST_ANSWER = 20_000_000;
/** Milliseconds for reading, and until the process is killed. */
const READING = 40_000;
const PATIENCE = 60_000;
/** Bytes of memory that the reader may use. */
const MOST_MEMORY = 1_000_000_000;

export type ReadingLimits = { reading?: number; patience?: number; memory?: number };

const Answer = z.object({
  state: z.enum(["read", "cut", "empty", "locked", "broken", "too-much"]),
  pages: z.number().int().nullable(),
  text: z.string(),
  language: z.string(),
});

/**
 * Extracts text from an untrusted file in a sandboxed process, which is killed when it takes too long or too
 * much memory. Never throws for the file's content: every file ends in a state.
 */
export async function readFileApart(
  from: Readable,
  { mime, size }: { mime: string; size: number },
  { reading = READING, patience = PATIENCE, memory = MOST_MEMORY }: ReadingLimits = {},
): Promise<ReadFile> {
  if (size > MOST_BYTES) {
    from.destroy();
    return { ...nothing("too-much"), picture: null };
  }
  const child = begin(mime, reading);
  const ended = watch(child, patience, memory);
  const answer = gather(child);
  // A reader that has enough, or was killed, no longer reads its input.
  await pipeline(from, child.stdin!).catch(() => {});
  const said = await answer;
  const why = await ended;
  return (
    (why === "done" && (said === null ? null : parsed(said))) || { ...nothing(why === "too-much" ? "too-much" : "broken"), picture: null }
  );
}

/** The process may read our code and nothing else on this machine, and gets no environment variables. */
const begin = (mime: string, milliseconds: number): ChildProcess =>
  spawn(
    process.execPath,
    [
      "--permission",
      ...["src", "node_modules", "package.json"].map((name) => `--allow-fs-read=${ROOT}${name}`),
      "--max-old-space-size=512",
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=SecurityWarning",
      `${HERE}child.ts`,
      mime,
      String(milliseconds),
    ],
    { env: {}, cwd: ROOT, stdio: ["pipe", "pipe", "ignore"] },
  );

/** Resolves with the reason why it ended. */
function watch(child: ChildProcess, patience: number, memory: number): Promise<"done" | "too-much" | "broken"> {
  return new Promise((ended) => {
    let why: "too-much" | null = null;
    const end = () => {
      why = "too-much";
      child.kill("SIGKILL");
    };
    const late = setTimeout(end, patience);
    const looking = setInterval(() => void memoryOf(child.pid).then((used) => used > memory && end()), 200);
    const over = (code: number | null) => {
      clearTimeout(late);
      clearInterval(looking);
      // Node aborts with SIGABRT when its heap is full.
      ended(why ?? (code === 0 ? "done" : code === null ? "too-much" : "broken"));
    };
    child.once("error", () => over(1));
    child.once("close", over);
  });
}

/** Resident memory, where the system tells (Linux); elsewhere the heap limit and the time limit apply. */
const memoryOf = (pid: number | undefined): Promise<number> =>
  readFile(`/proc/${pid}/statm`, "utf8").then(
    (line) => Number(line.split(" ")[1]) * 4_096,
    () => 0,
  );

async function gather(child: ChildProcess): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MOST_ANSWER) {
        child.kill("SIGKILL");
        return null;
      }
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}

function parsed(said: Buffer): ReadFile | null {
  const line = said.indexOf("\n");
  try {
    const found = Answer.parse(JSON.parse(said.subarray(0, line).toString("utf8")));
    return { ...found, picture: line + 1 < said.length ? said.subarray(line + 1) : null };
  } catch {
    return null;
  }
}
