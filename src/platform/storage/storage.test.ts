import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpBucketAndFolder } from "../../../test/support/storage/s3-bucket.ts";
import { createFolderStorage } from "./index.ts";
import { S3Client } from "./s3-client.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { StoredFile, Storage } from "./storage.ts";

const words = (content: string) => Readable.from([Buffer.from(content)]);
const broken = (...parts: Buffer[]) =>
  Readable.from(
    (async function* () {
      yield* parts;
      throw new Error("the line broke");
    })(),
  );
const all = async (storage: Storage, digit?: string) => {
  const found: StoredFile[] = [];
  for await (const file of storage.list(digit)) found.push(file);
  return found;
};
const listed = async (storage: Storage) => (await all(storage)).map(({ hash }) => hash).toSorted();
/** Slightly more than two parts of an S3 upload. */
const LARGE = 17_000_000;

const { root, bucket } = setUpBucketAndFolder();

let round = 0;
const KINDS: [string, () => { open: () => Storage; incoming: () => Promise<string[]> }][] = [
  [
    "a folder",
    () => {
      const folder = join(root, `r${round++}`);
      return {
        open: () => createFolderStorage(folder),
        incoming: async () =>
          existsSync(join(folder, "incoming")) ? readdirSync(join(folder, "incoming")) : [],
      };
    },
  ],
  [
    "a bucket",
    () => {
      const prefix = `r${round++}`;
      return {
        open: () => openS3Storage(bucket(), prefix, { copiedAtOnce: 6_000_000 }),
        async incoming() {
          const keys: string[] = [];
          for await (const { key } of new S3Client(bucket()).list(`${prefix}/incoming/`)) keys.push(key);
          return keys;
        },
      };
    },
  ],
];

describe.each(KINDS)("storage in %s", (_kind, begin) => {
  let place: ReturnType<typeof begin>;
  let storage: Storage;
  beforeEach(() => {
    place = begin();
    storage = place.open();
  });

  test("names files by their hash and stores identical bytes once", async () => {
    const one = await storage.put(words("seeds"), 100);
    const two = await storage.put(words("seeds"), 100);
    expect(two).toEqual(one);
    expect(one).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, size: 5 });
    expect(await text(await storage.open(one.hash))).toBe("seeds");
    expect(await storage.sizeOf(one.hash)).toBe(5);
    expect(await listed(storage)).toEqual([one.hash]);
  });

  test("stores empty and large files", async () => {
    const empty = await storage.put(Readable.from([]), 0);
    expect([empty.size, await text(await storage.open(empty.hash))]).toEqual([0, ""]);
    const bytes = randomBytes(LARGE);
    const large = await storage.put(
      Readable.from([bytes.subarray(0, 9_000_000), bytes.subarray(9_000_000)]),
      LARGE,
    );
    expect(large.size).toBe(LARGE);
    expect((await buffer(await storage.open(large.hash))).equals(bytes)).toBe(true);
    expect(await buffer(await storage.open(large.hash, { from: 8_999_990, to: 9_000_009 }))).toEqual(
      bytes.subarray(8_999_990, 9_000_010),
    );
    expect(await place.incoming()).toEqual([]);
  });

  test("lists files with their size, optionally by the first digit of the hash", async () => {
    const sizes = async (digit?: string) =>
      (await all(storage, digit)).map(({ hash, size }) => `${hash} ${size}`);
    const { hash } = await storage.put(words("seeds"), 100);
    expect([await sizes(), await sizes(hash[0]), await sizes(hash[0] === "0" ? "1" : "0")]).toEqual([
      [`${hash} 5`],
      [`${hash} 5`],
      [],
    ]);
  });

  test("returns a range of bytes, both ends included", async () => {
    const { hash } = await storage.put(words("0123456789"), 100);
    expect(await text(await storage.open(hash, { from: 2, to: 4 }))).toBe("234");
  });

  test("rejects a file above the limit and leaves no bytes of it", async () => {
    await expect(storage.put(Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100)).rejects.toMatchObject(
      { reason: "too-large" },
    );
    await expect(
      storage.put(Readable.from([randomBytes(LARGE), randomBytes(LARGE)]), LARGE + 1),
    ).rejects.toMatchObject({
      reason: "too-large",
    });
    expect([await place.incoming(), await listed(storage)]).toEqual([[], []]);
  });

  test("leaves no bytes of a stream that ends with an error", async () => {
    await expect(storage.put(broken(Buffer.from("half")), 100)).rejects.toThrow("the line broke");
    await expect(storage.put(broken(randomBytes(LARGE)), LARGE)).rejects.toThrow("the line broke");
    expect([await place.incoming(), await listed(storage)]).toEqual([[], []]);
  });

  test.each(["../../etc/passwd", "", "ZZ".repeat(32), `${"a".repeat(63)}/`, "a".repeat(64)])(
    "finds nothing under %j",
    async (hash) => {
      await expect(storage.open(hash)).rejects.toMatchObject({ reason: "not-found" });
    },
  );

  test("removes files, and ignores the removal of unknown ones", async () => {
    const { hash } = await storage.put(words("weeds"), 100);
    await storage.remove(hash);
    await storage.remove(hash);
    expect([await storage.sizeOf(hash), await listed(storage)]).toEqual([null, []]);
  });

  describe("partial file", () => {
    const id = "01900000-0000-7000-8000-0000000000aa";

    test("can be appended to, and becomes a stored file once complete", async () => {
      const { pieces, open, put } = storage;
      expect(await pieces.sizeOf(id)).toBeNull();
      expect(await pieces.append(id, words("se"))).toBe(2);
      expect(await place.open().pieces.append(id, words("eds"))).toBe(5);
      const stored = await pieces.finish(id);
      expect(stored).toEqual(await put(words("seeds"), 100));
      expect(await text(await open(stored.hash))).toBe("seeds");
      expect(await pieces.sizeOf(id)).toBeNull();
    });

    test("keeps the bytes that arrived before the connection broke", async () => {
      const { pieces } = storage;
      await expect(pieces.append(id, broken(Buffer.from("half")))).rejects.toThrow("the line broke");
      const has = (await pieces.sizeOf(id))!;
      expect(["", "half"].map((it) => it.length)).toContain(has);
      expect(await pieces.append(id, words("half and half".slice(has)))).toBe(13);
      const { hash } = await pieces.finish(id);
      expect(await text(await storage.open(hash))).toBe("half and half");
    });

    test("can be discarded, and its id cannot be a path", async () => {
      const { pieces } = storage;
      await pieces.append(id, words("weeds"));
      await pieces.remove(id);
      expect(await pieces.sizeOf(id)).toBeNull();
      await expect(pieces.finish(id)).rejects.toMatchObject({ reason: "not-found" });
      for (const outside of ["../secrets.json", "", "a/b"])
        await expect(pieces.append(outside, words("x"))).rejects.toMatchObject({ reason: "not-found" });
    });
  });
});

describe("leftovers of a dead process", () => {
  test("disappear after some time", async () => {
    const folder = join(root, "left");
    const storage = createFolderStorage(folder);
    await storage.put(words("seeds"), 100);
    for (const name of ["old", "new"]) writeFileSync(join(folder, "incoming", name), "x");
    utimesSync(join(folder, "incoming", "old"), new Date(0), new Date(0));
    await storage.tidy(new Date(Date.now() - 1_000_000));
    expect(readdirSync(join(folder, "incoming"))).toEqual(["new"]);
  });

  test("disappear from a bucket after some time", async () => {
    const calls = new S3Client(bucket());
    await calls.put("left/incoming/x", Buffer.from("x"));
    const storage = openS3Storage(bucket(), "left");
    await storage.tidy(new Date(0));
    expect(await calls.size("left/incoming/x")).toBe(1);
    await storage.tidy(new Date(Date.now() + 60_000));
    expect(await calls.size("left/incoming/x")).toBeNull();
  });
});

describe("storage folder", () => {
  test("reports an unreadable folder instead of an empty one", async () => {
    const file = join(root, "no-folder");
    writeFileSync(file, "");
    await expect(all(createFolderStorage(file))).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(await all(createFolderStorage(join(root, "not-there")))).toEqual([]);
  });
});

describe("storage bucket", () => {
  test("lists files over several pages of results", async () => {
    const entry = (key: string) =>
      `<Contents><Key>${key}</Key><LastModified>2026-05-04T09:00:00.000Z</LastModified><Size>1</Size></Contents>`;
    const tokens: (string | null)[] = [];
    const server = createServer((request, answer) => {
      const { searchParams } = new URL(request.url!, "http://x");
      tokens.push(searchParams.get("continuation-token"));
      const more =
        tokens.length < 3
          ? `<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;${tokens.length}</NextContinuationToken>`
          : "";
      answer.end(`<ListBucketResult>${entry(`k${tokens.length}`)}${more}</ListBucketResult>`);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const calls = new S3Client({
      ...bucket(),
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/kith?region=eu-1`,
    });
    const keys: string[] = [];
    for await (const { key } of calls.list("")) keys.push(key);
    expect([keys, tokens]).toEqual([
      ["k1", "k2", "k3"],
      [null, "a&1", "a&2"],
    ]);
    server.closeAllConnections();
    server.close();
  });

  test("reports a failing or rejecting bucket as unavailable, without details", async () => {
    const unreachable = openS3Storage({ ...bucket(), url: "http://127.0.0.1:9/kith" }, "x");
    const stranger = openS3Storage({ ...bucket(), secret: "wrong" }, "x");
    for (const storage of [unreachable, stranger]) {
      await expect(storage.put(words("seeds"), 100)).rejects.toMatchObject({
        reason: "unavailable",
        message: expect.not.stringContaining("127"),
      });
      await expect(storage.open("a".repeat(64))).rejects.toMatchObject({ reason: "unavailable" });
    }
  });
});
