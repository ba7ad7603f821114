import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { StoredFile, Storage } from "./storage.ts";

export type FileTotals = { files: number; bytes: number };

/** Progress of a move. */
export type MoveResult = {
  copied: FileTotals;
  /** Already at the target, with the same length. */
  there: FileTotals;
  /** At the target, and removed from the source. */
  removed: FileTotals;
  /** Deleted at the source by others meanwhile. */
  gone: number;
  /** Hashes of files that are unreadable or do not match their hash. */
  unreadable: string[];
  /** Files that exist at the target alone. */
  alone: number;
};

/** `told` is called for each file. With `dryRun` nothing is written, only counted. */
export type MoveOptions = { from: Storage; to: Storage; remove: boolean; dryRun: boolean; told: () => void };

/** Files at once: each may hold a part of eight megabytes, twice while it is assembled. */
const CONCURRENCY = 6;
const MAX_ATTEMPTS = 3;
/** The target is listed by first digit, so that a sixteenth of it is in memory. */
const HEX_DIGITS = "0123456789abcdef".split("");

export const createMoveResult = (): MoveResult => ({
  copied: zeroTotals(),
  there: zeroTotals(),
  removed: zeroTotals(),
  gone: 0,
  unreadable: [],
  alone: 0,
});
const zeroTotals = (): FileTotals => ({ files: 0, bytes: 0 });

/**
 * Copies all files of one storage to another as streams, and counts them in `moved`. Files already there with
 * the same length are skipped, so it may be interrupted and run again. With `remove`, a file seen at the
 * target with its length is removed from the source.
 * @throws `unavailable` when a bucket fails, and errors of the disk; what was copied until then stays
 */
export async function moveFiles(move: MoveOptions, moved: MoveResult): Promise<void> {
  for (const digit of HEX_DIGITS) {
    const there = new Map<string, number>();
    for await (const { hash, size } of move.to.list(digit)) there.set(hash, size);
    await forEachConcurrently(move.from.list(digit), async (file) => {
      const isThere = there.get(file.hash) === file.size;
      there.delete(file.hash);
      await moveFile(move, moved, file, isThere);
      move.told();
    });
    moved.alone += there.size;
  }
}

async function moveFile(
  move: MoveOptions,
  moved: MoveResult,
  { hash, size }: StoredFile,
  isThere: boolean,
): Promise<void> {
  if (isThere) addToTotals(moved.there, size);
  else {
    const became = move.dryRun ? "copied" : await copyFile(move, hash);
    if (became === "gone") moved.gone += 1;
    if (became === "unreadable") moved.unreadable.push(hash);
    if (became !== "copied") return;
    addToTotals(moved.copied, size);
  }
  if (move.remove && (move.dryRun || (await removeOriginal(move, hash, size))))
    addToTotals(moved.removed, size);
}

const addToTotals = (sum: FileTotals, bytes: number) => {
  sum.files += 1;
  sum.bytes += bytes;
};

/** Checks the target once more: its listing may be out of date. */
async function removeOriginal({ from, to }: MoveOptions, hash: string, size: number): Promise<boolean> {
  if ((await to.sizeOf(hash)) !== size) return false;
  await from.remove(hash);
  return true;
}

/**
 * Reading is retried: a connection may break and a bucket recover at once. Errors of the target are rethrown.
 */
async function copyFile({ from, to }: MoveOptions, hash: string): Promise<"copied" | "gone" | "unreadable"> {
  for (let tries = MAX_ATTEMPTS; tries > 0; tries--) {
    try {
      await to.put(Readable.from(verifyBytes(from, hash), { objectMode: false }), Infinity);
      return "copied";
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      if ((await from.sizeOf(hash)) === null) return "gone";
    }
  }
  return "unreadable";
}

class UnreadableFile extends Error {
  override name = "Unreadable";
}

/** Fails at the end when the bytes do not match the hash, so the target stores nothing. */
async function* verifyBytes(from: Storage, hash: string): AsyncGenerator<Buffer> {
  const seen = createHash("sha256");
  try {
    for await (const chunk of (await from.open(hash)) as AsyncIterable<Buffer>) {
      seen.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Refusal && error.reason === "unavailable") throw error;
    throw new UnreadableFile(hash, { cause: error });
  }
  if (seen.digest("hex") !== hash) throw new UnreadableFile(hash);
}

/** Runs `work` for each item. After a failure it starts no more, waits for those running, and throws. */
async function forEachConcurrently<T>(
  asyncIterable: AsyncIterable<T>,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const turns = asyncIterable[Symbol.asyncIterator]();
  let broken = false;
  const line = async () => {
    try {
      for (let turn = await turns.next(); !turn.done && !broken; turn = await turns.next())
        await work(turn.value);
    } catch (error) {
      broken = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, line));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
