import { beforeEach, describe, expect, test } from "vitest";
import {
  fileUrl,
  createFileForm,
  postFile,
  putFile,
  getFile,
} from "../../../../test/support/rest/file-transfer.ts";

describe("file download", () => {
  const TEXT = "0123456789";
  beforeEach(async () => void (await postFile("d/n.txt", createFileForm(TEXT))));

  test("has its size and headers that prevent browsers from executing it", async () => {
    const answer = await getFile("d/n.txt");
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
    const head = await fetch(fileUrl("d/n.txt"), { method: "HEAD" });
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
  ])("answers range requests: %s", async (range, status, text, contentRange) => {
    const answer = await getFile("d/n.txt", { range });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test("returns 304 while unchanged, and the whole file if the requested range is outdated", async () => {
    const etag = (await getFile("d/n.txt")).headers.get("etag")!;
    expect((await getFile("d/n.txt", { "if-none-match": etag })).status).toBe(304);
    await putFile("append/d/n.txt", "!");
    const answer = await getFile("d/n.txt", { "if-none-match": etag, range: "bytes=0-1", "if-range": etag });
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
  ])("has the content type of its bytes: %s", async (name, content, type, how) => {
    await postFile(`kinds/${name}`, createFileForm(new Blob([content])));
    const { headers } = await getFile(`kinds/${name}`);
    expect([headers.get("content-type"), headers.get("content-disposition")!.split(";")[0]]).toEqual([
      type,
      how,
    ]);
  });

  test("answers 404 and code 6000 for a missing file", async () => {
    const answer = await getFile("d/none.txt");
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 6000 }]);
  });
});
