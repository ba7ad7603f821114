import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBundle } from "./bundle.ts";
import { type Bundle, unreadableFile } from "./bundle-files.ts";
import { type TextLine, readLines, readTextFile } from "./text-lines.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "kith-bundle-"))));
afterEach(() => rm(folder, { recursive: true }));

/** A zip with one file as bytes; its directory declares what the test asks for. */
function zip(name: string, content: Buffer, declaredSize = content.length, flags = 0): Buffer {
  const packed = deflateRawSync(content);
  const path = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(flags, 2);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(declaredSize, 18);
  common.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, path, packed]);
  const central = Buffer.concat([
    Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"),
    common,
    Buffer.alloc(14),
    path,
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const opened = async (bytes: Buffer) => {
  await writeFile(join(folder, "a.zip"), bytes);
  return openBundle(join(folder, "a.zip"));
};

describe("a zip file", () => {
  test("can be read without being unpacked to disk", async () => {
    const bundle = await opened(zip("talk/a.json", Buffer.from("[1]")));
    expect([bundle.name, bundle.names, bundle.sizeOf("talk/a.json"), bundle.sizeOf("b")]).toEqual([
      "a.zip",
      ["talk/a.json"],
      3,
      null,
    ]);
    expect(await readTextFile(await bundle.read("talk/a.json"), "a")).toBe("[1]");
    await expect(bundle.read("b")).rejects.toMatchObject({ reason: "not-found" });
    bundle.close();
  });

  test("made on Windows keeps its folders", async () => {
    const bundle = await opened(zip("talk\\deep\\a.json", Buffer.from("[1]")));
    expect(bundle.names).toEqual(["talk/deep/a.json"]);
    expect(await readTextFile(await bundle.read("talk/deep/a.json"), "a")).toBe("[1]");
    bundle.close();
  });

  test.each([
    ["with a Windows path outside its folder", zip("..\\..\\x", Buffer.from("x")), /cannot be read/],
    ["with a path outside its folder", zip("../../etc/cron.d/x", Buffer.from("x")), /cannot be read/],
    ["with an absolute path", zip("/etc/passwd", Buffer.from("x")), /cannot be read/],
    ["with a Windows path", zip("C:\\x", Buffer.from("x")), /cannot be read/],
    ["with an extreme compression ratio", zip("bomb", Buffer.alloc(30_000_000)), /more than 200 times/],
    ["that declares an extreme size", zip("bomb", Buffer.from("x"), 4_000_000_000), /more than 200 times/],
    ["that is truncated", zip("a", Buffer.from("x")).subarray(0, 40), /cannot be read/],
  ])("%s is refused", async (_, bytes, sentence) => {
    await expect(opened(bytes)).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringMatching(sentence),
    });
  });

  test("gets refused if it is encrypted or unpacks to more than declared", async () => {
    const lying = await opened(zip("a", Buffer.from("x".repeat(1_000)), 10));
    await expect(lying.read("a").then((stream) => readTextFile(stream, "a"))).rejects.toThrow(
      /too many bytes/,
    );
    const locked = await opened(zip("a", Buffer.from("x"), 1, 1));
    await expect(locked.read("a")).rejects.toMatchObject({ reason: "invalid", message: "a is encrypted." });
  });
});

test("symbolic links in a folder are not followed", async () => {
  await writeFile(join(folder, "a.txt"), "a");
  await symlink("/etc/passwd", join(folder, "b.txt"));
  await symlink("/etc", join(folder, "c"));
  const bundle = await openBundle(folder);
  expect(bundle.names).toEqual(["a.txt"]);
  await expect(bundle.read("b.txt")).rejects.toMatchObject({ reason: "not-found" });
});

test("hidden files of file managers are ignored", async () => {
  const left = [".DS_Store", "._a.txt", "Thumbs.db", "desktop.ini"];
  for (const name of [...left, "a.txt", "a._b.txt"]) await writeFile(join(folder, name), "a");
  expect((await openBundle(folder)).names).toEqual(["a._b.txt", "a.txt"]);
  const zipped = await opened(zip("__MACOSX/forum/._1.json", Buffer.from([0, 5, 0x16, 7])));
  expect(zipped.names).toEqual([]);
});

const linesIn = async (pieces: string[]) => {
  const lines: TextLine[] = [];
  for await (const line of readLines(Readable.from(pieces.map((it) => Buffer.from(it))), "a"))
    lines.push(line);
  return lines;
};

test("lines are read one by one across chunks, and an overlong line is skipped", async () => {
  const pieces = ["on", "e\ntw", "o\n", "\n", "x".repeat(3_000_000), "x".repeat(3_000_000), "x\nlast"];
  const lines = await linesIn(pieces);
  expect(lines).toEqual([
    { number: 1, text: "one" },
    { number: 2, text: "two" },
    { number: 3, text: "" },
    { number: 4, text: null },
    { number: 5, text: "last" },
  ]);
  expect(await linesIn(["x".repeat(5_000_000)])).toEqual([{ number: 1, text: null }]);
});

describe("error about an unreadable archive file", () => {
  test("names a vanished file or a damaged zip entry", async () => {
    const text = async (from: Bundle, name: string) => readTextFile(await from.read(name), name);
    for (const name of ["a.json", "b.json"]) await writeFile(join(folder, name), "[2]");
    const bundle = await openBundle(folder);
    await rm(join(folder, "a.json"));
    await expect(text(bundle, "a.json")).rejects.toMatchObject({
      reason: "invalid",
      message: "a.json no longer exists.",
    });
    expect(await text(bundle, "b.json")).toBe("[2]");
    const damaged = await opened(zip("c.json", Buffer.from("[3]".repeat(100))).fill(0xff, 38, 42));
    await expect(text(damaged, "c.json")).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringMatching(/^c.json cannot be read: /),
    });
  });

  test("names a zip entry whose checksum does not match", async () => {
    const words = JSON.stringify({ words: "Runner beans, sown in May." });
    const sound = zip("d.json", Buffer.from(words));
    const other = deflateRawSync(Buffer.from(words.replace("May", "Jun")));
    expect(await readTextFile(await (await opened(sound)).read("d.json"), "d.json")).toBe(words);
    const changed = await opened(Buffer.from(sound).fill(other, 36, 36 + other.length));
    await expect(
      changed.read("d.json").then((stream) => readTextFile(stream, "d.json")),
    ).rejects.toMatchObject({
      reason: "invalid",
      message: "d.json cannot be read: it is damaged: its checksum does not match.",
    });
  });

  test("names a file without read permission", () => {
    const forbidden = Object.assign(new Error("EACCES: permission denied, open '/x/a.json'"), {
      code: "EACCES",
    });
    expect(unreadableFile("a.json", forbidden).message).toBe("a.json cannot be read: permission denied.");
    expect(unreadableFile("a.json", new Error("invalid distance")).message).toBe(
      "a.json cannot be read: invalid distance.",
    );
  });
});
