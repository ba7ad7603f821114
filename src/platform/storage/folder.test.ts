import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFolder } from "./index.ts";

describe("the folder that keeps files", () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "kith-files-"))));
  afterEach(() => rmSync(root, { recursive: true }));
  const words = (said: string) => Readable.from([Buffer.from(said)]);
  const incoming = () => (existsSync(join(root, "incoming")) ? readdirSync(join(root, "incoming")) : []);

  test("names what it keeps by its bytes, and keeps the same bytes once", async () => {
    const folder = openFolder(root);
    const one = await folder.put(words("seeds"), 100);
    const two = await folder.put(words("seeds"), 100);
    expect(two).toEqual(one);
    expect(one).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, size: 5 });
    expect(await text(await folder.open(one.hash))).toBe("seeds");
    expect(await folder.sizeOf(one.hash)).toBe(5);
  });

  test("gives a range of bytes, both ends included", async () => {
    const folder = openFolder(root);
    const { hash } = await folder.put(words("0123456789"), 100);
    expect(await text(await folder.open(hash, { from: 2, to: 4 }))).toBe("234");
  });

  test("refuses more than was allowed, and leaves nothing of it", async () => {
    const folder = openFolder(root);
    await expect(folder.put(Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100)).rejects.toMatchObject({ reason: "too-large" });
    expect(incoming()).toEqual([]);
  });

  test("leaves nothing of a stream that breaks off", async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("half");
        throw new Error("the line broke");
      })(),
    );
    await expect(openFolder(root).put(broken, 100)).rejects.toThrow("the line broke");
    expect(incoming()).toEqual([]);
  });

  test.each(["../../etc/passwd", "", "ZZ".repeat(32), `${"a".repeat(63)}/`])("knows nothing under %j", async (hash) => {
    await expect(openFolder(root).open(hash)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("forgets what is removed", async () => {
    const folder = openFolder(root);
    const { hash } = await folder.put(words("weeds"), 100);
    await folder.remove(hash);
    expect(await folder.sizeOf(hash)).toBeNull();
  });
});
