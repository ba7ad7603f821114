import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { readChunks } from "#platform/streams";
import { emptyExtraction, type ExtractedFile } from "./extracted-text.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Maximum bytes of a file. */
const MAX_BYTES = 200_000_000;
/** Maximum bytes of the reader's output. */
const MAX_OUTPUT = 20_000_000;
/** Milliseconds after which the reader stops reading. */
const READ_TIME = 40_000;
/** Milliseconds after which the reader's process is killed. */
const PROCESS_TIMEOUT = 60_000;
/** Maximum bytes of memory that the reader may use. */
const MAX_MEMORY = 1_000_000_000;

export type ExtractionLimits = { reading?: number; timeout?: number; memory?: number };

const ReaderOutput = z.object({
  state: z.enum(["read", "cut", "empty", "locked", "broken", "too-much"]),
  pages: z.number().int().nullable(),
  text: z.string(),
  language: z.string(),
});

/**
 * Extracts text from an untrusted file in a sandboxed process, which is killed when it takes too long or too
 * much memory. Never throws because of the file's content: the result has a state for every file.
 */
export async function extractFileIsolated(
  from: Readable,
  { mime, size }: { mime: string; size: number },
  { reading = READ_TIME, timeout = PROCESS_TIMEOUT, memory = MAX_MEMORY }: ExtractionLimits = {},
): Promise<ExtractedFile> {
  if (size > MAX_BYTES) {
    from.destroy();
    return { ...emptyExtraction("too-much"), picture: null };
  }
  const child = spawnReader(mime, reading);
  const ended = watchProcess(child, timeout, memory);
  const answer = collectOutput(child);
  // A reader that has read enough, or was killed, closes its input.
  await pipeline(from, child.stdin!).catch(() => {});
  const output = await answer;
  const why = await ended;
  return (
    (why === "done" && (output === null ? null : parseOutput(output))) || {
      ...emptyExtraction(why === "too-much" ? "too-much" : "broken"),
      picture: null,
    }
  );
}

/**
 * Starts the reader. It may read our code and nothing else on this machine, and gets no environment
 * variables.
 */
const spawnReader = (mime: string, milliseconds: number): ChildProcess =>
  spawn(
    process.execPath,
    [
      "--permission",
      ...["src", "node_modules", "package.json"].map((name) => `--allow-fs-read=${ROOT}${name}`),
      "--max-old-space-size=512",
      `${FOLDER}child.ts`,
      mime,
      String(milliseconds),
    ],
    { env: {}, cwd: ROOT, stdio: ["pipe", "pipe", "ignore"] },
  );

/** Resolves with the reason why the process ended. */
function watchProcess(
  child: ChildProcess,
  timeout: number,
  memory: number,
): Promise<"done" | "too-much" | "broken"> {
  return new Promise((ended) => {
    let why: "too-much" | null = null;
    const end = () => {
      why = "too-much";
      child.kill("SIGKILL");
    };
    const late = setTimeout(end, timeout);
    const timer = setInterval(
      () => void readMemoryUse(child.pid).then((used) => used > memory && end()),
      200,
    );
    const over = (code: number | null) => {
      clearTimeout(late);
      clearInterval(timer);
      // Node aborts with SIGABRT when its heap is full.
      ended(why ?? (code === 0 ? "done" : code === null ? "too-much" : "broken"));
    };
    child.once("error", () => over(1));
    child.once("close", over);
  });
}

/**
 * Returns the resident memory, where the system reports it (Linux); elsewhere only the heap limit and the
 * time limit apply.
 */
const readMemoryUse = (pid: number | undefined): Promise<number> =>
  readFile(`/proc/${pid}/statm`, "utf8").then(
    (line) => Number(line.split(" ")[1]) * 4_096,
    () => 0,
  );

async function collectOutput(child: ChildProcess): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of readChunks(child.stdout!)) {
      size += part.length;
      if (size > MAX_OUTPUT) {
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

function parseOutput(output: Buffer): ExtractedFile | null {
  const line = output.indexOf("\n");
  try {
    const found = ReaderOutput.parse(JSON.parse(output.subarray(0, line).toString("utf8")));
    return { ...found, picture: line + 1 < output.length ? output.subarray(line + 1) : null };
  } catch {
    return null;
  }
}
