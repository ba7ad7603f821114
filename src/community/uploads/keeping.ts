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

/** A picture is unpacked in memory (bytes), and kept within so many pixels. */
const PICTURE = { bytes: 40_000_000, pixels: 4_096 };

/**
 * Makes an upload of bytes that have come, if they are of a kind that is taken and hold no virus; else nothing is left of
 * them. Throws `wrong-type`, and `too-large` for a picture, for the member's room or for the scanner. A scanner that is away looks later, and
 * until then nobody gets the file.
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
  // Of a picture that was made anew, what came is not kept.
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

/** Throws `wrong-type` for what the scanner knows, and `too-large` for what it cannot read: to wait for that would be to wait for ever. */
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
    // Others may have come meanwhile; and a picture may be larger than what it was made from. The room comes before the bytes, as wherever
    // somebody waits for both: two who wait for each other would wait for ever.
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
