import { request as httpRequest } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { purgeReleasedBytes, removeStrayBytes } from "#baas/files";
import { many, run, sql } from "#platform/database";
import {
  database,
  INFECTED_BYTES,
  UNSCANNABLE_BYTES,
  scannerState,
  testApi,
  fileUrl,
  createFileForm,
  FORM_WITHOUT_FILE,
  postFile,
  putFile,
  getFile,
  countStoredFiles,
} from "../../../../test/support/rest/file-transfer.ts";

describe("file upload", () => {
  test("accepts raw bytes with a binary content type", async () => {
    expect((await postFile("raw.bin", new Blob(["raw"], { type: "application/octet-stream" }))).status).toBe(
      200,
    );
    expect(
      (await putFile("binary/raw2.bin", "raw", { "content-type": "application/octet-stream" })).status,
    ).toBe(200);
    expect([await (await getFile("raw.bin")).text(), await (await getFile("raw2.bin")).text()]).toEqual([
      "raw",
      "raw",
    ]);
  });

  test("stores the first file of a form, even with other fields", async () => {
    const both = new FormData();
    both.append("note", "x");
    both.append("file", new Blob(["one"]), "one.txt");
    both.append("file2", new Blob(["two"]), "two.txt");
    expect((await postFile("f.txt", both)).status).toBe(200);
    expect(await (await getFile("f.txt")).text()).toBe("one");
  });

  test.each([
    ["a form without a file", FORM_WITHOUT_FILE, {}],
    ["an invalid form", "nonsense", { "content-type": "multipart/form-data; boundary=x" }],
    ["a form without a boundary", "nonsense", { "content-type": "multipart/form-data" }],
    ["invalid JSON", "{", { "content-type": "application/json" }],
    ["JSON without a URL", "{}", { "content-type": "application/json" }],
    [
      "deeply nested JSON",
      `${"[".repeat(4_000)}1${"]".repeat(4_000)}`,
      { "content-type": "application/json" },
    ],
  ])("refuses %s", async (_what, body, headers) => {
    const answer = await postFile("no.txt", body, { headers });
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      422,
      expect.stringMatching(/^\S.+\.?$/),
    ]);
    expect(countStoredFiles()).toBe(0);
  });

  test.each(["not base64!", "YWJj*", "YWJjZ", "YQ==YQ=="])(
    "as text must be base64, unlike %s",
    async (text) => {
      expect((await putFile("binary/no.txt", text)).status).toBe(422);
      expect([countStoredFiles(), (await getFile("no.txt")).status]).toEqual([0, 404]);
    },
  );

  test("as base64 may have line breaks, the URL alphabet and no padding", async () => {
    await putFile("binary/b.txt", "YWJj\r\nZGVm\r\n_-8");
    expect(Buffer.from(await (await getFile("b.txt")).arrayBuffer()).toString("latin1")).toBe(
      "abcdef\xff\xef",
    );
  });

  test("refuses a declared size that is too large before it receives the body", async () => {
    const answer = await new Promise<number>((resolve, failed) => {
      const sending = httpRequest(fileUrl("huge.bin"), {
        method: "POST",
        headers: { "content-type": "application/octet-stream", "content-length": 10_000_000_000 },
      });
      sending.once("response", (response) => resolve(response.statusCode!)).once("error", failed);
      sending.write("x");
    });
    expect([answer, countStoredFiles()]).toEqual([413, 0]);
  });

  test("refuses a body that grows too large and stores nothing of it", async () => {
    await testApi.set({ programFileMegabytes: 1 });
    for (const [path, body] of [
      ["raw", new Blob([Buffer.alloc(1_000_001, "x")])],
      ["form", createFileForm(new Blob([Buffer.alloc(3_000_000, "x")]))],
    ] as const) {
      const answer = await postFile(`${path}.bin`, body);
      expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
        413,
        "A file can have at most 1 MB.",
      ]);
    }
    expect((await putFile("binary/b64.bin", Buffer.alloc(1_000_001, "x").toString("base64"))).status).toBe(
      413,
    );
    await postFile("log.bin", new Blob([Buffer.alloc(999_999, "x")]));
    expect((await putFile("append/log.bin", "xx")).status).toBe(413);
    expect((await putFile("append/log.bin", "x")).status).toBe(200);
    expect(countStoredFiles()).toBe(2);
  });

  test("with a broken connection stores nothing and preserves the old file", async () => {
    await postFile("d/kept.txt", createFileForm("kept"));
    for (const [type, beginning] of [
      ["application/octet-stream", "half"],
      [
        "multipart/form-data; boundary=x",
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
      ],
    ])
      await new Promise<void>((over) => {
        const sending = httpRequest(fileUrl("d/kept.txt?overwrite=true"), {
          method: "POST",
          headers: { "content-type": type!, "content-length": 5_000 },
        });
        sending.once("error", () => over());
        sending.write(beginning, () => setImmediate(() => sending.destroy()));
      });
    await expect.poll(countStoredFiles).toBe(1);
    expect(await (await getFile("d/kept.txt")).text()).toBe("kept");
  });

  test("does not mix the bytes of concurrent uploads under one name", async () => {
    const [a, b] = [Buffer.alloc(500_000, "a"), Buffer.alloc(500_000, "b")];
    const writing = Array.from({ length: 10 }, (_, n) =>
      postFile("race.bin?overwrite=true", createFileForm(new Blob([n % 2 ? a : b]))),
    );
    for (const answer of await Promise.all(writing)) expect(answer.status).toBe(200);
    expect([a, b]).toContainEqual(Buffer.from(await (await getFile("race.bin")).arrayBuffer()));
    const first = await Promise.all([
      postFile("once.bin", createFileForm("a")),
      postFile("once.bin", createFileForm("b")),
    ]);
    expect(first.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe("file quota", () => {
  test("limits the total size and the number of files", async () => {
    await testApi.set({ programFilesGigabytes: 1, programFilesMost: 3 });
    await postFile("a/b.txt", createFileForm("1"));
    await run(database.db, sql`update api_files set size = 999999999 where kind = 'file'`);
    expect((await postFile("a/c.txt", createFileForm("12"))).status).toBe(413);
    expect((await postFile("a/c.txt", createFileForm("1"))).status).toBe(200);
    expect((await postFile("a/c.txt?overwrite=true", createFileForm("2"))).status).toBe(200);
    expect((await postFile("a/d.txt", createFileForm(""))).status).toBe(413);
    expect(
      (
        await putFile("copy", JSON.stringify({ sourcePath: "a/c.txt", targetPath: "d.txt" }), {
          "content-type": "application/json",
        })
      ).status,
    ).toBe(413);
    expect((await fetch(fileUrl("e"), { method: "POST" })).status).toBe(413);
  });

  test("frees the bytes of deleted files after a delay for open downloads", async () => {
    await postFile("a.txt", createFileForm("seeds"));
    await postFile("b.txt", createFileForm("seeds"));
    await fetch(fileUrl("a.txt"), { method: "DELETE" });
    await purgeReleasedBytes(testApi.app.files, new Date(Date.now() + 3_600_000));
    expect([countStoredFiles(), await (await getFile("b.txt")).text()]).toEqual([1, "seeds"]);
    await postFile("b.txt?overwrite=true", createFileForm("weeds"));
    await purgeReleasedBytes(testApi.app.files, new Date());
    expect(countStoredFiles()).toBe(2);
    await purgeReleasedBytes(testApi.app.files, new Date(Date.now() + 3_600_000));
    expect([countStoredFiles(), await many(database.db, sql`select 1 from unreferenced_bytes`)]).toEqual([
      1,
      [],
    ]);
  });
});

describe("leftovers of a killed process", () => {
  test("disappear after a day, but data of existing files does not", async () => {
    const { files } = testApi.app;
    await postFile("kept.txt", createFileForm("kept"));
    await files.storage.put(Readable.from([Buffer.from("stray")]), 100);
    await removeStrayBytes(files, new Date());
    expect(countStoredFiles()).toBe(2);
    await removeStrayBytes(files, new Date(Date.now() + 25 * 3_600_000));
    expect([countStoredFiles(), await (await getFile("kept.txt")).text()]).toEqual([1, "kept"]);
  });
});

describe("malware scanner", () => {
  test("refuses infected files, even if the virus spans two chunks", async () => {
    expect((await postFile("e.txt", createFileForm(`x${INFECTED_BYTES}x`))).status).toBe(415);
    await postFile("e.txt", createFileForm(INFECTED_BYTES.slice(0, 4)));
    expect((await putFile("append/e.txt", INFECTED_BYTES.slice(4))).status).toBe(415);
    expect(await (await getFile("e.txt")).text()).toBe(INFECTED_BYTES.slice(0, 4));
    expect(countStoredFiles()).toBe(1);
  });

  test("refuses files that it can never scan, without asking for a retry", async () => {
    const answer = await postFile("e.txt", createFileForm(UNSCANNABLE_BYTES));
    expect([answer.status, answer.headers.get("retry-after"), countStoredFiles()]).toEqual([413, null, 0]);
  });

  test("refuses uploads while it is unavailable", async () => {
    scannerState.isHere = false;
    const answer = await postFile("e.txt", createFileForm("seeds"));
    expect([answer.status, answer.headers.get("retry-after"), countStoredFiles()]).toEqual([503, "60", 0]);
  });
});
