import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStorage } from "#platform/storage";
import { startTestBucket } from "../../test/support/storage/s3-bucket.ts";
import { moveAllFiles } from "./move-files.ts";
import { formatResult } from "./move-files/move-progress.ts";
import { describeMoveError } from "./move-files/move-errors.ts";

const FILES = 12;
let dataDir: string;
let bucket: Awaited<ReturnType<typeof startTestBucket>>;
let variables: Record<string, string>;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "kith-move-"));
  bucket = await startTestBucket();
  variables = { KITH_DATA: dataDir, S3_URL: bucket.url, S3_KEY: bucket.key, S3_SECRET: bucket.secret };
});
afterEach(async () => {
  await bucket.close();
  rmSync(dataDir, { recursive: true });
});

const inFolder = (name: "files" | "program-files") => createStorage({ s3: null, dataDir }, name);
const inBucket = (name: "files" | "program-files") => createStorage({ s3: bucket, dataDir }, name);
const keep = (storage: ReturnType<typeof inFolder>, words: string) =>
  storage.put(Readable.from([Buffer.from(words)]), 100);

async function run(args: string[], given: Record<string, string> = {}) {
  const output: string[] = [];
  const code = await moveAllFiles(args, { ...variables, ...given }, (sentence) => output.push(sentence));
  return { code, output: output.join("\n") };
}

/** A connection to the bucket that breaks after this many uploads. */
async function breakingLine(puts: number) {
  const { host, port } = new URL(bucket.url);
  const line = createServer((asked, answer) => {
    if (asked.method === "PUT" && puts-- <= 0) return void asked.socket.destroy();
    const onward = request(
      { host: "127.0.0.1", port, path: asked.url, method: asked.method, headers: asked.headers },
      (answered) => {
        answer.writeHead(answered.statusCode!, answered.headers);
        answered.pipe(answer);
      },
    );
    asked.pipe(onward);
  });
  await new Promise<void>((listening) => line.listen(0, "127.0.0.1", listening));
  const url = bucket.url.replace(host, `127.0.0.1:${(line.address() as AddressInfo).port}`);
  return { url, close: () => (line.closeAllConnections(), line.close()) };
}

describe("npm run move-files", () => {
  test("moves files of the community and of API clients, and back again", async () => {
    const picture = await keep(inFolder("files"), "a picture");
    const sheet = await keep(inFolder("program-files"), "a sheet");
    expect(await run(["to-bucket", "--remove"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("2 files (0.0 KB) copied") as string,
    });
    expect(await text(await inBucket("files").open(picture.hash))).toBe("a picture");
    expect(await text(await inBucket("program-files").open(sheet.hash))).toBe("a sheet");
    expect(await inFolder("files").sizeOf(picture.hash)).toBeNull();

    expect(await run(["to-folder"])).toMatchObject({ code: 0 });
    expect(await text(await inFolder("files").open(picture.hash))).toBe("a picture");
    expect(await text(await inFolder("program-files").open(sheet.hash))).toBe("a sheet");
    expect(await inBucket("files").sizeOf(picture.hash)).toBe(9);
  });

  test("prints what it would do in a dry run, and changes nothing", async () => {
    const { hash } = await keep(inFolder("files"), "a picture");
    const { code, output } = await run(["to-bucket", "--remove", "--dry-run"]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("1 file (0.0 KB) would be copied, 0 files (0.0 KB) are already there."),
    ]);
    expect(output).toContain("1 file (0.0 KB) would be removed from the source.");
    expect([await inBucket("files").sizeOf(hash), await inFolder("files").sizeOf(hash)]).toEqual([null, 9]);
  });

  test.each([[[]], [["to-moon"]], [["to-bucket", "now"]], [["to-bucket", "--force"]]])(
    "prints its usage for %j",
    async (args) => {
      expect(await run(args)).toEqual({
        code: 64,
        output: expect.stringContaining("npm run move-files -- to-folder") as string,
      });
    },
  );

  test("prints neither key nor secret", async () => {
    const { output } = await run(["to-bucket"], {
      S3_URL: bucket.url.replace("http://", "http://me:hush-hush@"),
    });
    expect(output).not.toMatch(/hush-hush|S3RVER/);
  });

  test("requires a bucket", async () => {
    expect(await run(["to-bucket"], { S3_URL: "", S3_KEY: "", S3_SECRET: "" })).toEqual({
      code: 78,
      output: "S3_URL must name the bucket, with S3_KEY and S3_SECRET.",
    });
  });

  test("reports a rejected key, and a missing bucket", async () => {
    await keep(inFolder("files"), "a picture");
    const refused = await run(["to-bucket"], { S3_SECRET: "wrong" });
    expect(refused).toMatchObject({
      code: 78,
      output: expect.stringContaining("The bucket refuses this key (403).") as string,
    });
    const missing = await run(["to-folder"], { S3_URL: bucket.url.replace("/kith", "/kiht") });
    expect(missing).toMatchObject({
      code: 78,
      output: expect.stringContaining("There is no bucket at the address in S3_URL") as string,
    });
  });

  test("reports an unreachable bucket, keeps the copied files, and resumes from there", async () => {
    for (let n = 0; n < FILES; n++) await keep(inFolder("files"), `picture ${n}`);
    const line = await breakingLine(5);
    const broken = await run(["to-bucket", "--remove"], { S3_URL: line.url });
    line.close();
    expect(broken).toMatchObject({
      code: 75,
      output: expect.stringContaining("Copied files stay: run this again") as string,
    });
    expect(broken.output).toContain("5 files");
    expect(await run(["to-bucket"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("7 files (0.1 KB) copied") as string,
    });
  });

  test("lists files that it cannot copy, and exits with 1", async () => {
    const { hash } = await keep(inFolder("files"), "a picture");
    writeFileSync(join(dataDir, "files", hash.slice(0, 2), hash.slice(2, 4), hash), "a pixture");
    const { code, output } = await run(["to-bucket", "--remove"]);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`They were neither copied nor removed:\n  ${hash}`),
    ]);
    expect(await inFolder("files").sizeOf(hash)).toBe(9);
  });

  test("copies while Kith runs, but refuses to remove files then", async () => {
    const { hash } = await keep(inFolder("files"), "a picture");
    // A Kith that is just starting: a lock without content.
    writeFileSync(join(dataDir, "lock"), "");
    expect(await run(["to-bucket", "--remove"])).toEqual({
      code: 1,
      output: expect.stringContaining("Stop it before files are removed") as string,
    });
    expect(await run(["to-bucket"])).toMatchObject({ code: 0 });
    expect([await inFolder("files").sizeOf(hash), await inBucket("files").sizeOf(hash)]).toEqual([9, 9]);
  });

  test("does not mistake an unreadable folder for an empty one", async () => {
    writeFileSync(join(dataDir, "files"), "");
    expect(await run(["to-bucket"])).toMatchObject({
      code: 74,
      output: expect.stringContaining("ENOTDIR") as string,
    });
  });

  test("leaves the bucket unchanged when the folder is empty", async () => {
    expect(await run(["to-bucket"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("0 files (0.0 KB) copied") as string,
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe("error that ends a move", () => {
  const ofDisk = (code: string, path?: string) =>
    describeMoveError(Object.assign(new Error(code), { code, syscall: "write", path }));

  test.each([
    ["ENOSPC", 74, "The disk is full (ENOSPC). Free some space. Copied files stay"],
    ["EDQUOT", 74, "The disk is full (EDQUOT)."],
    ["EROFS", 77, "This user has no access to /data/x (EROFS)."],
    ["EIO", 74, "The disk reports an error (EIO, /data/x)."],
  ])("is explained in one sentence: %s", (code, exit, sentence) => {
    expect(ofDisk(code, "/data/x")).toEqual({
      code: exit,
      sentence: expect.stringContaining(sentence) as string,
    });
  });

  test("stays unchanged when it is unknown", () => {
    expect(describeMoveError(new TypeError("a bug"))).toBeNull();
  });
});

describe("final report of a move", () => {
  test("counts deleted files and those only at the target, and lists twenty unreadable ones", () => {
    const sum = { files: 1, bytes: 2_500_000_000 };
    const unreadable = Array.from({ length: 22 }, (_, n) => `hash ${n}`);
    const lines = formatResult(
      { copied: sum, there: sum, removed: sum, gone: 3, alone: 4, unreadable },
      { remove: false, dryRun: false },
    );
    expect(lines.slice(0, 3)).toEqual([
      "1 file (2.5 GB) copied, 1 file (2.5 GB) were already there.",
      "3 were removed from the source meanwhile by a running Kith.",
      "4 exist only at the target: they were removed from the source, or are newer. They were kept.",
    ]);
    expect(lines.slice(-2)).toEqual(["  hash 19", "  and 2 more"]);
  });
});
