import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { Kept, Storage } from "./storage.ts";

export type Sum = { files: number; bytes: number };

/** Progress of a move. */
export type Moved = {
  copied: Sum;
  /** Already at the target, with the same length. */
  there: Sum;
  /** At the target, and removed from the source. */
  removed: Sum;
  /** Deleted at the source by others meanwhile. */
  gone: number;
  /** Hashes of files that are unreadable or do not match their hash. */
  unreadable: string[];
  /** Files that exist at the target alone. */
  alone: number;
};

/** `told` is called for each file. With `dryRun` nothing is written, only counted. */
export type Move = { from: Storage; to: Storage; remove: boolean; dryRun: boolean; told: () => void };

/** Files at once: each may hold a part of eight megabytes, twice while it is assembled. */
const AT_ONCE = 6;
const TRIES = 3;
/** The target is listed by first digit, so that a sixteenth of it is in memory. */
const DIGITS = "0123456789abcdef".split("");

export const nothingMoved = (): Moved => ({ copied: none(), there: none(), removed: none(), gone: 0, unreadable: [], alone: 0 });
const none = (): Sum => ({ files: 0, bytes: 0 });

/**
 * Copies all files of one storage to another as streams, and counts them in `moved`. Files already there with
 * the same length are skipped, so it may be interrupted and run again. With `remove`, a file seen at the
 * target with its length is removed from the source.
 * @throws `unavailable` when a bucket fails, and errors of the disk; what was copied until then stays
 */
export async function moveFiles(move: Move, moved: Moved): Promise<void> {
  for (const digit of DIGITS) {
    const there = new Map<string, number>();
    for await (const { hash, size } of move.to.list(digit)) there.set(hash, size);
    await severalAtOnce(move.from.list(digit), async (file) => {
      const isThere = there.get(file.hash) === file.size;
      there.delete(file.hash);
      await moveOne(move, moved, file, isThere);
      move.told();
    });
    moved.alone += there.size;
  }
}

async function moveOne(move: Move, moved: Moved, { hash, size }: Kept, isThere: boolean): Promise<void> {
  if (isThere) count(moved.there, size);
  else {
    const became = move.dryRun ? "copied" : await copy(move, hash);
    if (became === "gone") moved.gone += 1;
    if (became === "unreadable") moved.unreadable.push(hash);
    if (became !== "copied") return;
    count(moved.copied, size);
  }
  if (move.remove && (move.dryRun || (await removeOld(move, hash, size)))) count(moved.removed, size);
}

const count = (sum: Sum, bytes: number) => {
  sum.files += 1;
  sum.bytes += bytes;
};

/** Checks the target once more: its listing may be out of date. */
async function removeOld({ from, to }: Move, hash: string, size: number): Promise<boolean> {
  if ((await to.sizeOf(hash)) !== size) return false;
  await from.remove(hash);
  return true;
}

/**
 * Reading is retried: a connection may break and a bucket recover at once. Errors of the target are rethrown.
 */
async function copy({ from, to }: Move, hash: string): Promise<"copied" | "gone" | "unreadable"> {
  for (let tries = TRIES; tries > 0; tries--) {
    try {
      await to.put(Readable.from(bytesOf(from, hash), { objectMode: false }), Infinity);
      return "copied";
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if ((await from.sizeOf(hash)) === null) return "gone";
    }
  }
  return "unreadable";
}

class Unreadable extends Error {
  override name = "Unreadable";
}

/** Fails at the end when the bytes do not match the hash, so the target stores nothing. */
async function* bytesOf(from: Storage, hash: string): AsyncGenerator<Buffer> {
  const seen = createHash("sha256");
  try {
    for await (const chunk of (await from.open(hash)) as AsyncIterable<Buffer>) {
      seen.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Refusal && error.reason === "unavailable") throw error;
    throw new Unreadable(hash, { cause: error });
  }
  if (seen.digest("hex") !== hash) throw new Unreadable(hash);
}

/** Runs `work` for each item. After a failure it starts no more, waits for those running, and throws. */
async function severalAtOnce<T>(things: AsyncIterable<T>, work: (thing: T) => Promise<void>): Promise<void> {
  const turns = things[Symbol.asyncIterator]();
  let broken = false;
  const line = async () => {
    try {
      for (let turn = await turns.next(); !turn.done && !broken; turn = await turns.next()) await work(turn.value);
    } catch (error) {
      broken = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, line));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
