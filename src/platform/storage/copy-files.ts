import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { StoredFile, Storage } from "./storage.ts";

export type FileTotals = { files: number; bytes: number };

/** Progress of a move. */
export type MoveResult = {
  copied: FileTotals;
  /** Files that were at the target already, with the same length. */
  there: FileTotals;
  /** Files removed from the source because the target has them. */
  removed: FileTotals;
  /** Number of files that another process deleted from the source during the move. */
  gone: number;
  /** Hashes of files that are unreadable or do not match their hash. */
  unreadable: string[];
  /** Number of files that exist only at the target. */
  alone: number;
};

/** `onProgress` is called after each file. With `dryRun` files are only counted, and nothing is written. */
export type MoveOptions = {
  from: Storage;
  to: Storage;
  remove: boolean;
  dryRun: boolean;
  onProgress: () => void;
};

/** Number of files copied at once: each may hold a part of eight megabytes, twice while it is assembled. */
const CONCURRENCY = 6;
const MAX_ATTEMPTS = 3;
/** The target is listed by the first digit of the hash, so that only a sixteenth of the list is in memory. */
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
 * Copies all files of one storage to another as streams, and counts them in `moved`. Files already at the
 * target with the same length are skipped, so the move may be interrupted and run again. With `remove`, a
 * file is removed from the source when the target has it with the same length.
 * @throws `unavailable` when a bucket fails, and errors of the disk; files copied until then stay
 */
export async function moveFiles(move: MoveOptions, moved: MoveResult): Promise<void> {
  for (const digit of HEX_DIGITS) {
    const there = new Map<string, number>();
    for await (const { hash, size } of move.to.list(digit)) there.set(hash, size);
    await forEachConcurrently(move.from.list(digit), async (file) => {
      const isThere = there.get(file.hash) === file.size;
      there.delete(file.hash);
      await moveFile(move, moved, file, isThere);
      move.onProgress();
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

/**
 * Removes a file from the source after another check of the target, because its listing may be out of date.
 */
async function removeOriginal({ from, to }: MoveOptions, hash: string, size: number): Promise<boolean> {
  if ((await to.sizeOf(hash)) !== size) return false;
  await from.remove(hash);
  return true;
}

/**
 * Copies a file. Reading is retried, because a connection may break and a bucket may recover at once. Errors
 * of the target are rethrown.
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

/**
 * Yields the bytes of a file and fails at the end when they do not match the hash, so that the target stores
 * nothing.
 */
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

/**
 * Runs `work` for each item. After a failure it starts no further items, waits for the running ones, and
 * throws.
 */
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
