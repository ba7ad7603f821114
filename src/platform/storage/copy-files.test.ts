import { createHash, randomBytes } from "node:crypto";
import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpBucketAndFolder } from "../../../test/support/storage/s3-bucket.ts";
import { createFolderStorage } from "./folder-storage.ts";
import { moveFiles, createMoveResult } from "./copy-files.ts";
import { S3Client } from "./s3-client.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

/** Slightly more than two parts of an S3 upload. */
const LARGE = randomBytes(17_000_000);
const CONTENTS = [
  Buffer.alloc(0),
  Buffer.from("seeds"),
  ...Array.from({ length: 20 }, (_, n) => Buffer.from(`bed ${n}`)),
];
const BYTES = CONTENTS.reduce((sum, { length }) => sum + length, 0);
const ALL = { files: CONTENTS.length, bytes: BYTES };
const NONE = { files: 0, bytes: 0 };
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const SEEDS = hashOf(Buffer.from("seeds"));

const { root, bucket } = setUpBucketAndFolder();

let round = 0;
let folder: string;
let prefix: string;
beforeEach(() => {
  round += 1;
  folder = join(root, `r${round}`);
  prefix = `r${round}`;
});

const inFolder = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
const fill = async (storage: Storage) => {
  for (const bytes of CONTENTS) await storage.put(Readable.from([bytes]), Infinity);
};
const move = async (
  from: Storage,
  to: Storage,
  { remove = false, dryRun = false, onProgress = () => {} } = {},
) => {
  const moved = createMoveResult();
  await moveFiles({ from, to, remove, dryRun, onProgress }, moved);
  return moved;
};
const hashesIn = async (storage: Storage) => {
  const hashes: string[] = [];
  for await (const { hash } of storage.list()) hashes.push(hash);
  return hashes.toSorted();
};
const EVERYTHING = CONTENTS.map(hashOf).toSorted();

const toBucket = {
  ends: () => ({ from: createFolderStorage(folder), to: openS3Storage(bucket(), prefix) }),
  shorten: () => new S3Client(bucket()).put(`${prefix}/bytes/${SEEDS}`, Buffer.from("se")),
};
const toFolder = {
  ends: () => ({ from: openS3Storage(bucket(), prefix), to: createFolderStorage(folder) }),
  shorten: async () => truncateSync(inFolder(SEEDS), 2),
};

describe.each([
  ["from a folder to a bucket", toBucket],
  ["from a bucket to a folder", toFolder],
])("moving files %s", (_direction, { ends, shorten }) => {
  let from: Storage;
  let to: Storage;
  beforeEach(async () => {
    ({ from, to } = ends());
    await fill(from);
  });

  test("copies each file unchanged and leaves the originals in place", async () => {
    await from.put(Readable.from([LARGE]), Infinity);
    const copied = { files: ALL.files + 1, bytes: BYTES + LARGE.length };
    expect(await move(from, to)).toEqual({ ...createMoveResult(), copied });
    for (const bytes of [...CONTENTS, LARGE])
      expect((await buffer(await to.open(hashOf(bytes)))).equals(bytes)).toBe(true);
    expect(await hashesIn(to)).toEqual([...EVERYTHING, hashOf(LARGE)].toSorted());
    expect(await hashesIn(from)).toEqual(await hashesIn(to));
  });

  test("copies each file once, however often the move runs", async () => {
    await move(from, to);
    const puts: string[] = [];
    const watched = {
      ...to,
      put: (...given: Parameters<Storage["put"]>) => (puts.push("put"), to.put(...given)),
    };
    expect(await move(from, watched)).toEqual({ ...createMoveResult(), there: ALL });
    expect(puts).toEqual([]);
  });

  test("copies a file again when its length at the target differs", async () => {
    await move(from, to);
    await shorten();
    expect(await to.sizeOf(SEEDS)).toBe(2);
    expect((await move(from, to)).copied).toEqual({ files: 1, bytes: 5 });
    expect((await buffer(await to.open(SEEDS))).toString()).toBe("seeds");
  });

  test("copies nothing in a dry run and only counts", async () => {
    expect(await move(from, to, { dryRun: true, remove: true })).toEqual({
      ...createMoveResult(),
      copied: ALL,
      removed: ALL,
    });
    expect([await hashesIn(to), await hashesIn(from)]).toEqual([[], EVERYTHING]);
  });

  test("removes originals on request, including those already copied", async () => {
    await to.put(Readable.from([Buffer.from("seeds")]), 5);
    const moved = await move(from, to, { remove: true });
    expect(moved).toMatchObject({
      there: { files: 1, bytes: 5 },
      copied: { files: ALL.files - 1, bytes: BYTES - 5 },
      removed: ALL,
    });
    expect([await hashesIn(to), await hashesIn(from)]).toEqual([EVERYTHING, []]);
  });

  test("leaves the original in place if its copy disappears from the target before the removal", async () => {
    await move(from, to);
    const forgetful = { ...to, sizeOf: async (hash: string) => (hash === SEEDS ? null : to.sizeOf(hash)) };
    expect((await move(from, forgetful, { remove: true })).removed).toEqual({
      files: ALL.files - 1,
      bytes: BYTES - 5,
    });
    expect(await hashesIn(from)).toEqual([SEEDS]);
  });

  test("resumes after an interruption", async () => {
    let left = 10;
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });
    const small = {
      ...to,
      put: async (...given: Parameters<Storage["put"]>) =>
        left-- > 0 ? to.put(...given) : Promise.reject(full),
    };
    await expect(move(from, small)).rejects.toBe(full);
    const first = (await hashesIn(to)).length;
    expect(first).toBe(10);
    expect(await move(from, to)).toMatchObject({
      copied: { files: ALL.files - first },
      there: { files: first },
    });
    expect(await hashesIn(to)).toEqual(EVERYTHING);
  });

  test("counts a file that is deleted meanwhile as gone", async () => {
    const changing = {
      ...from,
      open: async (hash: string) => (hash === SEEDS && (await from.remove(SEEDS)), from.open(hash)),
    };
    expect(await move(changing, to)).toMatchObject({
      gone: 1,
      unreadable: [],
      copied: { files: ALL.files - 1 },
    });
    expect(await to.sizeOf(SEEDS)).toBeNull();
  });

  test("reports and leaves files that exist only at the target", async () => {
    await move(from, to);
    await from.remove(SEEDS);
    expect(await move(from, to, { remove: true })).toMatchObject({ alone: 1 });
    expect(await to.sizeOf(SEEDS)).toBe(5);
  });

  test("retries after a connection error, up to a limit", async () => {
    const breaking = (times: number) => ({
      ...from,
      open: async (hash: string) =>
        hash === SEEDS && times-- > 0
          ? Readable.from([Buffer.from("se")]).map(() => Promise.reject(new Error("the line broke")))
          : from.open(hash),
    });
    expect(await move(breaking(9), to)).toMatchObject({
      unreadable: [SEEDS],
      copied: { files: ALL.files - 1 },
    });
    expect(await move(breaking(2), to)).toMatchObject({ unreadable: [], copied: { files: 1 } });
  });
});

describe("file whose content does not match its hash", () => {
  test("does not get copied or removed", async () => {
    const from = createFolderStorage(folder);
    const to = openS3Storage(bucket(), prefix);
    await fill(from);
    writeFileSync(inFolder(SEEDS), "weeds");
    const moved = await move(from, to, { remove: true });
    expect(moved).toMatchObject({
      unreadable: [SEEDS],
      copied: { files: ALL.files - 1 },
      removed: { files: ALL.files - 1 },
    });
    expect([await hashesIn(from), await hashesIn(to)]).toEqual([
      [SEEDS],
      EVERYTHING.filter((hash) => hash !== SEEDS),
    ]);
  });
});

describe("moving files", () => {
  test("copies at most six files concurrently", async () => {
    const from = createFolderStorage(folder);
    await fill(from);
    const to = openS3Storage(bucket(), prefix);
    let now = 0;
    let most = 0;
    const counting = {
      ...to,
      async put(...given: Parameters<Storage["put"]>) {
        most = Math.max(most, ++now);
        return to.put(...given).finally(() => (now -= 1));
      },
    };
    await move(from, counting);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
  });

  test("skips uploads in progress", async () => {
    const from = createFolderStorage(folder);
    await from.pieces.append("01900000-0000-7000-8000-0000000000aa", Readable.from([Buffer.from("half")]));
    expect(await move(from, openS3Storage(bucket(), prefix), { remove: true })).toEqual(createMoveResult());
    expect(readdirSync(join(folder, "pieces"))).toHaveLength(1);
  });

  test("does nothing without a folder", async () => {
    expect(await move(createFolderStorage(join(root, "nowhere")), openS3Storage(bucket(), prefix))).toEqual({
      ...createMoveResult(),
      copied: NONE,
    });
  });

  test("stops when the source or target bucket is unavailable", async () => {
    const storage = openS3Storage({ ...bucket(), url: "http://127.0.0.1:9/kith" }, prefix);
    const here = createFolderStorage(folder);
    await fill(here);
    await expect(move(here, storage)).rejects.toMatchObject({ reason: "unavailable" });
    await expect(move(storage, here)).rejects.toMatchObject({ reason: "unavailable" });
  });
});
