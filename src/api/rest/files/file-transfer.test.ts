import { request as httpRequest } from "node:http";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purgeReleasedBytes, removeStrayBytes } from "#baas/files";
import { many, run, sql } from "#platform/database";
import { TooLargeToScan, type Scanner, ScannerUnavailable } from "#platform/scanner";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  APP,
  CLIENT,
  openTestApi,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";
import { openTestFiles } from "../../../../test/support/rest/file-store.ts";

const database = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "kith-sending-"));
const EVIL = "EVIL-BYTES";
const LARGE = "LARGE-BYTES";
/** Rejects these bytes as harmful or as too large to scan, and can be made unavailable. */
let scannerIsHere = true;
const scanner: Scanner = {
  async scan(from) {
    const bytes = await buffer(from);
    if (!scannerIsHere) throw new ScannerUnavailable("The scanner cannot be reached.");
    if (bytes.includes(LARGE)) throw new TooLargeToScan("INSTREAM size limit exceeded. ERROR");
    return { found: bytes.includes(EVIL) ? "Test.Evil-1" : null };
  },
};
let door: TestRestApi;
beforeAll(async () => {
  door = await openTestApi(database);
  door.app.files = openTestFiles(database, door.app.settings, folder, { scanner });
});
beforeEach(async () => {
  door.forget();
  scannerIsHere = true;
  await door.set({ apiCalls: 0 });
});
afterAll(async () => {
  await door.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string, key = SERVER) => `${door.origin()}/${APP}/${key}/files/${path}`;
const form = (content: string | Blob, name = "a.txt") => {
  const sent = new FormData();
  sent.append("file", typeof content === "string" ? new Blob([content]) : content, name);
  return sent;
};
const NO_FILE = new FormData();
NO_FILE.append("note", "x");
const send = (path: string, body: BodyInit, more: RequestInit = {}) =>
  fetch(at(path), { method: "POST", body, ...more });
const put = (
  path: string,
  body: string,
  headers: Record<string, string> = { "content-type": "text/plain" },
) => fetch(at(path), { method: "PUT", body, headers });
const got = (path: string, headers: Record<string, string> = {}) => fetch(at(path, CLIENT), { headers });
const stored = () =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []).filter((it) =>
    it.isFile(),
  ).length;
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

describe("file download", () => {
  const TEXT = "0123456789";
  beforeEach(async () => void (await send("d/n.txt", form(TEXT))));

  test("carries headers that keep browsers from running it, and its size", async () => {
    const answer = await got("d/n.txt");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "10",
      "content-disposition": `inline; filename="n.txt"; filename*=UTF-8''n.txt`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
    });
    const head = await fetch(at("d/n.txt"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "10", ""]);
  });

  test.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=0-99", 206, TEXT, "bytes 0-9/10"],
    ["bytes=10-", 416, "There is no such part of this file.", "bytes */10"],
    ["bytes=0-1,3-4", 200, TEXT, null],
    ["lines=1-2", 200, TEXT, null],
  ])("answers range requests: %s", async (range, status, text, told) => {
    const answer = await got("d/n.txt", { range });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([
      status,
      text,
      told,
    ]);
  });

  test("answers 304 while unchanged, and the whole file when the range was of another version", async () => {
    const etag = (await got("d/n.txt")).headers.get("etag")!;
    expect((await got("d/n.txt", { "if-none-match": etag })).status).toBe(304);
    await put("append/d/n.txt", "!");
    const answer = await got("d/n.txt", { "if-none-match": etag, range: "bytes=0-1", "if-range": etag });
    expect([answer.status, await answer.text()]).toEqual([200, `${TEXT}!`]);
  });

  test.each([
    ["page.html", "<script>alert(1)</script>", "text/html; charset=utf-8", "attachment"],
    [
      "drawing.svg",
      "<svg onload=alert(1) xmlns='http://www.w3.org/2000/svg'/>",
      "image/svg+xml",
      "attachment",
    ],
    ["lies.png", "<script>alert(1)</script>", "text/plain; charset=utf-8", "inline"],
    [
      "picture.txt",
      Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"),
      "image/png",
      "inline",
    ],
    ["data", Buffer.from([0, 1, 2]), "application/octet-stream", "attachment"],
  ])("has the type of its bytes: %s", async (name, content, type, how) => {
    await send(`kinds/${name}`, form(new Blob([content])));
    const { headers } = await got(`kinds/${name}`);
    expect([headers.get("content-type"), headers.get("content-disposition")!.split(";")[0]]).toEqual([
      type,
      how,
    ]);
  });

  test("answers 404 and code 6000 for a missing file", async () => {
    const answer = await got("d/none.txt");
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 6000 }]);
  });
});

describe("file upload", () => {
  test("accepts raw bytes and declared binary", async () => {
    expect((await send("raw.bin", new Blob(["raw"], { type: "application/octet-stream" }))).status).toBe(200);
    expect((await put("binary/raw2.bin", "raw", { "content-type": "application/octet-stream" })).status).toBe(
      200,
    );
    expect([await (await got("raw.bin")).text(), await (await got("raw2.bin")).text()]).toEqual([
      "raw",
      "raw",
    ]);
  });

  test("takes the first file of a form with other fields", async () => {
    const both = new FormData();
    both.append("note", "x");
    both.append("file", new Blob(["one"]), "one.txt");
    both.append("file2", new Blob(["two"]), "two.txt");
    expect((await send("f.txt", both)).status).toBe(200);
    expect(await (await got("f.txt")).text()).toBe("one");
  });

  test.each([
    ["a form without a file", NO_FILE, {}],
    ["a form that is none", "nonsense", { "content-type": "multipart/form-data; boundary=x" }],
    ["a form without a boundary", "nonsense", { "content-type": "multipart/form-data" }],
    ["JSON that is none", "{", { "content-type": "application/json" }],
    ["JSON without an address", "{}", { "content-type": "application/json" }],
    [
      "JSON deep as a well",
      `${"[".repeat(4_000)}1${"]".repeat(4_000)}`,
      { "content-type": "application/json" },
    ],
  ])("refuses %s", async (_what, body, headers) => {
    const answer = await send("no.txt", body, { headers });
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      422,
      expect.stringMatching(/^\S.+\.?$/),
    ]);
    expect(stored()).toBe(0);
  });

  test.each(["not base64!", "YWJj*", "YWJjZ", "YQ==YQ=="])(
    "text upload must be base64, unlike %s",
    async (text) => {
      expect((await put("binary/no.txt", text)).status).toBe(422);
      expect([stored(), (await got("no.txt")).status]).toEqual([0, 404]);
    },
  );

  test("base64 may have line breaks, the URL alphabet and no padding", async () => {
    await put("binary/b.txt", "YWJj\r\nZGVm\r\n_-8");
    expect(Buffer.from(await (await got("b.txt")).arrayBuffer()).toString("latin1")).toBe("abcdef\xff\xef");
  });

  test("refuses a declared size that is too large before it arrives", async () => {
    const answer = await new Promise<number>((told, failed) => {
      const sending = httpRequest(at("huge.bin"), {
        method: "POST",
        headers: { "content-type": "application/octet-stream", "content-length": 10_000_000_000 },
      });
      sending.once("response", (response) => told(response.statusCode!)).once("error", failed);
      sending.write("x");
    });
    expect([answer, stored()]).toEqual([413, 0]);
  });

  test("refuses a body that grows too large, and leaves nothing behind", async () => {
    await door.set({ programFileMegabytes: 1 });
    for (const [path, body] of [
      ["raw", new Blob([Buffer.alloc(1_000_001, "x")])],
      ["form", form(new Blob([Buffer.alloc(3_000_000, "x")]))],
    ] as const) {
      const answer = await send(`${path}.bin`, body);
      expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
        413,
        "A file has 1 MB at the most here.",
      ]);
    }
    expect((await put("binary/b64.bin", Buffer.alloc(1_000_001, "x").toString("base64"))).status).toBe(413);
    await send("log.bin", new Blob([Buffer.alloc(999_999, "x")]));
    expect((await put("append/log.bin", "xx")).status).toBe(413);
    expect((await put("append/log.bin", "x")).status).toBe(200);
    expect(stored()).toBe(2);
  });

  test("interrupted upload leaves nothing and keeps the old file", async () => {
    await send("d/kept.txt", form("kept"));
    for (const [type, beginning] of [
      ["application/octet-stream", "half"],
      [
        "multipart/form-data; boundary=x",
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
      ],
    ])
      await new Promise<void>((over) => {
        const sending = httpRequest(at("d/kept.txt?overwrite=true"), {
          method: "POST",
          headers: { "content-type": type!, "content-length": 5_000 },
        });
        sending.once("error", () => over());
        sending.write(beginning, () => setImmediate(() => sending.destroy()));
      });
    await expect.poll(stored).toBe(1);
    expect(await (await got("d/kept.txt")).text()).toBe("kept");
  });

  test("two concurrent uploads under one name leave one of them, complete", async () => {
    const [a, b] = [Buffer.alloc(500_000, "a"), Buffer.alloc(500_000, "b")];
    const writing = Array.from({ length: 10 }, (_, n) =>
      send("race.bin?overwrite=true", form(new Blob([n % 2 ? a : b]))),
    );
    for (const answer of await Promise.all(writing)) expect(answer.status).toBe(200);
    expect([a, b]).toContainEqual(Buffer.from(await (await got("race.bin")).arrayBuffer()));
    const first = await Promise.all([send("once.bin", form("a")), send("once.bin", form("b"))]);
    expect(first.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe("file quota", () => {
  test("limits total bytes and number of files", async () => {
    await door.set({ programFilesGigabytes: 1, programFilesMost: 3 });
    await send("a/b.txt", form("1"));
    await run(database.db, sql`update api_files set size = 999999999 where kind = 'file'`);
    expect((await send("a/c.txt", form("12"))).status).toBe(413);
    expect((await send("a/c.txt", form("1"))).status).toBe(200);
    expect((await send("a/c.txt?overwrite=true", form("2"))).status).toBe(200);
    expect((await send("a/d.txt", form(""))).status).toBe(413);
    expect(
      (
        await put("copy", JSON.stringify({ sourcePath: "a/c.txt", targetPath: "d.txt" }), {
          "content-type": "application/json",
        })
      ).status,
    ).toBe(413);
    expect((await fetch(at("e"), { method: "POST" })).status).toBe(413);
  });

  test("gets space back after deletion, once no one can be reading the files", async () => {
    await send("a.txt", form("seeds"));
    await send("b.txt", form("seeds"));
    await fetch(at("a.txt"), { method: "DELETE" });
    await purgeReleasedBytes(door.app.files, new Date(Date.now() + 3_600_000));
    expect([stored(), await (await got("b.txt")).text()]).toEqual([1, "seeds"]);
    await send("b.txt?overwrite=true", form("weeds"));
    await purgeReleasedBytes(door.app.files, new Date());
    expect(stored()).toBe(2);
    await purgeReleasedBytes(door.app.files, new Date(Date.now() + 3_600_000));
    expect([stored(), await many(database.db, sql`select 1 from unreferenced_bytes`)]).toEqual([1, []]);
  });
});

describe("leftovers of a killed process", () => {
  test("disappear after a day; data of existing files stays", async () => {
    const { files } = door.app;
    await send("kept.txt", form("kept"));
    await files.storage.put(Readable.from([Buffer.from("stray")]), 100);
    await removeStrayBytes(files, new Date());
    expect(stored()).toBe(2);
    await removeStrayBytes(files, new Date(Date.now() + 25 * 3_600_000));
    expect([stored(), await (await got("kept.txt")).text()]).toEqual([1, "kept"]);
  });
});

describe("malware scanner", () => {
  test("refuses infected files, also split into two chunks", async () => {
    expect((await send("e.txt", form(`x${EVIL}x`))).status).toBe(415);
    await send("e.txt", form(EVIL.slice(0, 4)));
    expect((await put("append/e.txt", EVIL.slice(4))).status).toBe(415);
    expect(await (await got("e.txt")).text()).toBe(EVIL.slice(0, 4));
    expect(stored()).toBe(1);
  });

  test("does not delay files it can never scan", async () => {
    const answer = await send("e.txt", form(LARGE));
    expect([answer.status, answer.headers.get("retry-after"), stored()]).toEqual([413, null, 0]);
  });

  test("unavailable scanner refuses uploads instead of guessing", async () => {
    scannerIsHere = false;
    const answer = await send("e.txt", form("seeds"));
    expect([answer.status, answer.headers.get("retry-after"), stored()]).toEqual([503, "60", 0]);
  });
});
