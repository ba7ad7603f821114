import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { receiveArchive, MAX_ARCHIVE_BYTES } from "./receive-archive.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "kith-sent-"))));
afterEach(() => rm(folder, { recursive: true }));

const sending = (
  body: FormData | URLSearchParams | ReadableStream | string,
  headers: Record<string, string> = {},
) =>
  new Request("http://kith.test/admin/imports", {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
const formOf = (fields: Record<string, string | File>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

test("an archive is written to disk under a safe name, and the other fields stay in the form", async () => {
  const file = new File(["bytes"], "../../My forum (2020)/é.zip");
  const form = await receiveArchive(sending(formOf({ format: "slack", file })), folder);
  const path = String(form.get("path"));
  expect([form.get("format"), form.get("fileName"), path.startsWith(`${folder}/`)]).toEqual([
    "slack",
    "é.zip",
    true,
  ]);
  expect(await readFile(path, "utf8")).toBe("bytes");
});

test.each([
  ["форум (1).zip", "форум_1.zip"],
  ["論壇.zip", "論壇.zip"],
  ["сайт.ndjson", "сайт.ndjson"],
  ["منتدى.json", "منتدى.json"],
  ["2024-01.mbox.gz", "2024-01.mbox.gz"],
  ["💬.ndjson", "archive.ndjson"],
  [".zip", "archive.zip"],
  [`${"ж".repeat(300)}.zip`, `${"ж".repeat(55)}.zip`],
])("the file name %s keeps its letters and its extension", async (name, kept) => {
  const form = await receiveArchive(sending(formOf({ file: new File(["bytes"], name) })), folder);
  expect([form.get("fileName"), await readFile(String(form.get("path")), "utf8")]).toEqual([kept, "bytes"]);
});

test("a form without an archive has no path", async () => {
  const form = await receiveArchive(
    sending(formOf({ format: "slack", archive: "a.zip", file: new File([], "") })),
    folder,
  );
  expect([form.get("format"), form.get("archive"), form.get("path"), await readdir(folder)]).toEqual([
    "slack",
    "a.zip",
    null,
    [],
  ]);
  const plain = await receiveArchive(
    sending("format=csv", { "content-type": "application/x-www-form-urlencoded" }),
    folder,
  );
  expect(plain.get("format")).toBe("csv");
});

test("a path submitted as a form field is dropped, since only received archives have paths", async () => {
  const fields = { format: "slack", path: "/etc/passwd", fileName: "passwd" };
  for (const body of [formOf(fields), new URLSearchParams(fields)]) {
    const form = await receiveArchive(sending(body), folder);
    expect([form.get("format"), form.get("path"), form.get("fileName")]).toEqual(["slack", null, null]);
  }
});

test("an archive that is too large or incomplete is refused and leaves nothing behind", async () => {
  const head =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\ncontent-type: application/zip\r\n\r\n';
  const piece = new Uint8Array(1_000_000);
  let sent = 0;
  const endless = new ReadableStream({
    start: (it) => it.enqueue(new TextEncoder().encode(head)),
    pull(controller) {
      if ((sent += piece.length) <= MAX_ARCHIVE_BYTES + 2_000_000) return controller.enqueue(piece);
      controller.enqueue(new TextEncoder().encode("\r\n--b--\r\n"));
      controller.close();
    },
  });
  const type = { "content-type": "multipart/form-data; boundary=b" };
  await expect(receiveArchive(sending(endless, type), folder)).rejects.toMatchObject({ reason: "too-large" });
  await expect(receiveArchive(sending(`${head}half`, type), folder)).rejects.toMatchObject({
    reason: "invalid",
  });
  await expect(
    receiveArchive(sending("x", { "content-type": "multipart/form-data" }), folder),
  ).rejects.toMatchObject({
    reason: "invalid",
  });
  expect(await readdir(folder)).toEqual([]);
});
