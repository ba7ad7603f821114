import { readFileSync, renameSync, rmSync, statSync, linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedFailure } from "./failure.ts";
import { identityOf } from "./processes.ts";

/** A lock without content is one that is being written, unless it has been so for longer than this (a full disk). */
const BEING_WRITTEN_MS = 2_000;

/**
 * Takes the data folder for this process; what it returns gives it back. A lock whose process is gone is taken over.
 * Throws `EmbeddedFailure` "locked" when another one has it.
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, "lock");
  const mine = JSON.stringify({ pid: process.pid, process: identityOf(process.pid) });
  for (let attempt = 0; attempt < 5; attempt++) {
    if (write(path, mine)) return () => giveBack(path, mine);
    const found = contentOf(path);
    if (found === null) continue;
    const holder = holderOf(path, found);
    if (holder) throw lockedBy(holder, dataDir, path);
    takeAway(path, found);
  }
  throw lockedBy("another one", dataDir, path);
}

/** Who has the folder, in words; null when nobody has. Changes nothing. */
export function holderOfFolder(dataDir: string): string | null {
  const path = join(dataDir, "lock");
  const found = contentOf(path);
  return found === null ? null : holderOf(path, found);
}

function write(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // A full disk takes the name, but not the content.
    rmSync(path, { force: true });
    throw error;
  }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Who has the lock, in words; null when nobody has. */
function holderOf(path: string, content: string): string | null {
  try {
    const { pid, process: identity } = JSON.parse(content) as { pid: number; process: string };
    return identityOf(pid) === identity ? `process ${pid}` : null;
  } catch {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return age < BEING_WRITTEN_MS ? "a process that is just starting" : null;
  }
}

/** Two may see the same stale lock. It is moved aside first: whoever moved a fresh one of the other puts it back. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (contentOf(aside) !== stale) linkSync(aside, path);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function giveBack(path: string, mine: string): void {
  if (contentOf(path) === mine) rmSync(path, { force: true });
}

const lockedBy = (holder: string, dataDir: string, path: string) =>
  new EmbeddedFailure(
    "locked",
    `Another Kith (${holder}) uses the data folder ${dataDir}.`,
    `Stop it first, or let KITH_DATA name another folder. If no Kith is running, remove ${path}.`,
  );
