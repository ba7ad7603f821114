import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Database, maybeOne, run, sql } from "#platform/database";
import { fitPicture } from "#platform/images";
import { later } from "#platform/jobs";
import { Refusal } from "#platform/refusal";
import { BeyondScanner, type Scanner, ScannerAway } from "#platform/scanner";
import type { Storage, Stored } from "#platform/storage";
import { holdFile, mindRoom } from "#community/common";
import type { SignedIn } from "#community/rules";
import { forgetBytes } from "./forgetting.ts";
import { type FileKind, kindIn, LOOKED_AT } from "./kinds.ts";
import { safeName } from "./names.ts";
import { isReadable } from "./readable.ts";
import { takeFromAll } from "./scanning.ts";

export type FileHouse = { database: Database; storage: Storage; scanner: Scanner | null };
type Arrived = { id: string; fileName: string; stored: Stored };
type Kept = Stored & { kind: FileKind; fileName: string; width: number | null; height: number | null };

/** Pictures are decoded in memory (bytes), and stored within this many pixels. */
const PICTURE = { bytes: 40_000_000, pixels: 4_096 };

/**
 * Makes an upload of received bytes if their kind is allowed and no virus is found; otherwise deletes them.
 * If the scanner is down, the file waits and is not served until it is scanned.
 * @throws `wrong-type`, `too-large` for a picture, the quota or the scanner
 */
export async function keepFile(house: FileHouse, me: SignedIn, arrived: Arrived): Promise<{ id: string }> {
  const hashes = new Set([arrived.stored.hash]);
  try {
    const kept = await lookedAt(house, arrived, hashes);
    const state = await scanned(house, kept);
    await record(house, me, arrived.id, kept, state);
  } catch (error) {
    for (const hash of hashes) await forgetBytes(house, hash);
    throw error;
  }
  // The original of a re-encoded picture is not kept.
  for (const hash of hashes) await forgetBytes(house, hash);
  return { id: arrived.id };
}

async function lookedAt({ storage }: FileHouse, { fileName, stored }: Arrived, hashes: Set<string>): Promise<Kept> {
  const part = async (from: number, to: number) =>
    stored.size === 0 ? Buffer.alloc(0) : buffer(await storage.open(stored.hash, { from, to: Math.min(to, stored.size - 1) }));
  const head = await part(0, LOOKED_AT.head - 1);
  const tail = await part(Math.max(0, stored.size - LOOKED_AT.tail), stored.size - 1);
  const kind = await kindIn({ name: safeName(fileName, []), head, tail });
  if (!kind.mime.startsWith("image/") || kind.mime === "image/gif")
    return { ...stored, kind, fileName: safeName(fileName, kind.endings), width: null, height: null };
  if (stored.size > PICTURE.bytes)
    throw new Refusal("too-large", "That picture is larger than 40 MB.", { fields: { file: "That picture is larger than 40 MB." } });
  const picture = await fitPicture(await buffer(await storage.open(stored.hash)), PICTURE.pixels);
  const made = await storage.put(Readable.from([picture.bytes]), PICTURE.bytes);
  hashes.add(made.hash);
  const plain = safeName(fileName, kind.endings).replace(/\.[^.]+$/, "");
  return { ...made, kind: WEBP, fileName: `${plain}.webp`, width: picture.width, height: picture.height };
}

const WEBP: FileKind = { mime: "image/webp", endings: ["webp"] };

const BEYOND = { say: "This file is larger than what can be looked at for viruses here. It was not taken." };

/**
 * @throws `wrong-type` for a detected virus, `too-large` for a file the scanner cannot read, which would
 * otherwise wait forever
 */
async function scanned(house: FileHouse, { hash, fileName }: Kept): Promise<"ok" | "scanning"> {
  const { storage, scanner } = house;
  if (!scanner) return "ok";
  try {
    const { found } = await scanner.scan(await storage.open(hash));
    if (found === null) return "ok";
    await takeFromAll(house, hash);
    const sentence = `“${fileName.slice(0, 80)}” holds something harmful (${found}) and was not taken.`;
    throw new Refusal("wrong-type", sentence, { fields: { file: sentence } });
  } catch (error) {
    if (error instanceof ScannerAway) return "scanning";
    if (error instanceof BeyondScanner) throw new Refusal("too-large", BEYOND.say, { fields: { file: BEYOND.say } });
    throw error;
  }
}

async function record({ database, storage }: FileHouse, me: SignedIn, id: string, kept: Kept, state: "ok" | "scanning") {
  await database.inTransaction(async (tx) => {
    await run(tx, sql`delete from incoming_files where id = ${id}`);
    // Checks the quota again: other uploads may have finished meanwhile, and a picture may have grown. Quota
    // before bytes is the lock order everywhere, which avoids deadlocks.
    await mindRoom(tx, me, kept.size);
    await holdFile(tx, kept.hash);
    if ((await storage.sizeOf(kept.hash)) === null) throw new Refusal("conflict", "That file broke off on its way. Please send it again.");
    const known = await maybeOne(tx, sql`select from uploads where hash = ${kept.hash} and state = 'quarantined' limit 1`);
    if (known) throw new Refusal("wrong-type", "That file was found to be harmful before, and is not taken.");
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, file_name, width, height, state, created_at)
          values (${id}, ${me.id}, ${kept.hash}, ${kept.size}, ${kept.kind.mime}, ${kept.fileName}, ${kept.width}, ${kept.height}, ${state}, ${tx.now})
          on conflict (id) do nothing`,
    );
    if (state === "scanning") await later(tx, { task: "scan-file", payload: { uploadId: id }, key: `scan-file:${id}`, mostAttempts: 25 });
    else if (isReadable(kept.kind.mime))
      await later(tx, { task: "read-file", payload: { hash: kept.hash }, key: `read-file:${kept.hash}`, mostAttempts: 3 });
  });
}
