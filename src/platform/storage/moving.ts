import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { Kept, Storage } from "./storage.ts";

export type Sum = { files: number; bytes: number };

/** What has become of files that move, so far. */
export type Moved = {
  copied: Sum;
  /** Those that lay at the new place already, with the same length. */
  there: Sum;
  /** Those that are at the new place and no longer at the old one. */
  removed: Sum;
  /** How many somebody else removed at the old place meanwhile. */
  gone: number;
  /** The hashes of those that cannot be read, or whose bytes are not what their hash says. */
  unreadable: string[];
  /** How many lie at the new place alone. */
  alone: number;
};

/** `told` hears of each file. With `dryRun`, nothing is written, and what would be is counted. */
export type Move = { from: Storage; to: Storage; remove: boolean; dryRun: boolean; told: () => void };

/** Files on their way at once: each may hold a part of eight megabytes, twice while it is put together. */
const AT_ONCE = 6;
const TRIES = 3;
/** What lies at the new place is asked for digit by digit, so that a sixteenth of it is in memory. */
const DIGITS = "0123456789abcdef".split("");

export const nothingMoved = (): Moved => ({ copied: none(), there: none(), removed: none(), gone: 0, unreadable: [], alone: 0 });
const none = (): Sum => ({ files: 0, bytes: 0 });

/**
 * Copies all that is kept in one storage to another, as streams, and counts it in `moved`. What is there with the same length is
 * passed over, so that this may be broken off and called again. With `remove`, what is seen at the new place with its length goes at the
 * old one. Throws `unavailable` when a bucket is away or refuses, and what the disk throws; what was copied until then stays.
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

/** The new place is asked once more: what was listed there a while ago may have been removed since. */
async function removeOld({ from, to }: Move, hash: string, size: number): Promise<boolean> {
  if ((await to.sizeOf(hash)) !== size) return false;
  await from.remove(hash);
  return true;
}

/** A line may break while one reads, and a bucket be back at once. What the new place throws is thrown on. */
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

/** Fails at the end where the bytes are not those of the hash: then nothing of them is kept at the new place. */
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

/** Does the work for each thing. Where it fails for one, no other is begun, those that were begun are ended, and then it throws. */
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
