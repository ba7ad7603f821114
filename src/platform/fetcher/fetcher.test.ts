import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./public-addresses.ts";
import { createFetcher } from "./index.ts";
import { app, reaching } from "../../../test/support/foreign-server.ts";

const html =
  (body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, reply) =>
    reply.writeHead(200, { "content-type": "text/html", ...headers }).end(body);

const packedAs =
  (encoding: string, bytes: Buffer): RequestListener =>
  (_request, reply) =>
    reply.writeHead(200, { "content-type": "text/html", "content-encoding": encoding }).end(bytes);
function* endless(head: string) {
  yield head;
  for (;;) yield "a".repeat(50_000);
}

describe("address check of the fetcher", () => {
  test.each([
    ...(
      "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 " +
      "192.0.0.1 192.168.1.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16"
    ).split(" "),
    ..."192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1".split(" "),
    ...(
      "::  ::1 fe80::1 fc00::1 fd12:3456::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 " +
      "64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::1 2001:0:7f00:1::1 100::1 2001:db8::1 ::7f00:1 ::a00:1 " +
      "1000::1 4000::1"
    ).split(/ +/),
    "",
    "localhost",
    "127.1.example",
    "fe80::1%eth0",
  ])("rejects %s", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"])(
    "allows %s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe("fetcher", () => {
  test.each([
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "gopher://example.org/",
    "",
    "example.org",
    "http://mira:secret@example.org/",
    `http://example.org/${"a".repeat(2_000)}`,
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://8.8.8.8:22/",
    "https://8.8.8.8:8443/",
  ])("refuses %s", async (url) => {
    await expect(createFetcher().page(url)).rejects.toMatchObject({ name: "ForbiddenAddress" });
  });

  test("refuses a name with an internal address, even if it also has public ones", async () => {
    const to = (...addresses: string[]) =>
      createFetcher({ resolve: async () => addresses }).page("http://example.org/");
    await expect(to("10.0.0.1")).rejects.toThrow("address is not public");
    await expect(to("8.8.8.8", "127.0.0.1")).rejects.toThrow("address is not public");
    await expect(to()).rejects.toThrow("address is not public");
  });

  test("refuses a redirect to an internal address, however it is written", async () => {
    const secret = await app(html("the secret"));
    for (const location of [
      `http://127.0.0.1:${secret}/`,
      `http://localhost:${secret}/`,
      `//127.0.0.1:${secret}/`,
      "file:///etc/passwd",
    ]) {
      const port = await app((_request, reply) => reply.writeHead(302, { location }).end());
      await expect(reaching(port).page(`http://example.org:${port}/`)).rejects.toMatchObject({
        name: "ForbiddenAddress",
      });
    }
  });
});

test("fetcher resolves a name once and connects to the address it has checked", async () => {
  const port = await app(html("<p>outside</p>"));
  let lookups = 0;
  // A second lookup would return an internal address.
  const resolve = async () => (lookups++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
  expect((await reaching(port, { resolve }).page(`http://rebinding.example:${port}/`)).html).toBe(
    "<p>outside</p>",
  );
  expect(lookups).toBe(1);
});

test("fetcher follows redirects with the requested host name, up to a limit", async () => {
  const port = await app((request, reply) => {
    if (request.url !== "/3")
      return reply.writeHead(301, { location: `/${Number(request.url!.slice(1)) + 1}` }).end();
    return html(`<p>${request.headers.host}</p>`)(request, reply);
  });
  expect(await reaching(port).page(`http://example.org:${port}/0`)).toEqual({
    url: `http://example.org:${port}/3`,
    html: `<p>example.org:${port}</p>`,
  });
  const circle = await app((_request, reply) => reply.writeHead(302, { location: "/" }).end());
  await expect(reaching(circle).page(`http://example.org:${circle}/`)).rejects.toThrow("Too many redirects");
});

describe("response of the fetcher", () => {
  const answered = async (answer: RequestListener, timeout?: number) => {
    const port = await app(answer);
    return reaching(port, timeout ? { timeout } : {}).page(`http://example.org:${port}/`);
  };

  test("gets decompressed and decoded by its charset", async () => {
    const packed: RequestListener = (_request, reply) =>
      reply
        .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
        .end(gzipSync("<p>packed</p>"));
    expect((await answered(packed)).html).toBe("<p>packed</p>");
    const latin: RequestListener = (_request, reply) =>
      reply
        .writeHead(200, { "content-type": "text/html; charset=iso-8859-1" })
        .end(Buffer.from("<p>Gärten</p>", "latin1"));
    expect((await answered(latin)).html).toBe("<p>Gärten</p>");
    const meta: RequestListener = (_request, reply) =>
      reply
        .writeHead(200, { "content-type": "text/html" })
        .end(Buffer.from('<meta charset="windows-1252"><p>Gärten</p>', "latin1"));
    expect((await answered(meta)).html).toContain("<p>Gärten</p>");
    expect((await answered(html("x", { "content-type": "text/html; charset=nonsense" }))).html).toBe("x");
  });

  describe("page larger than half a megabyte", () => {
    const head = "<title>Long beds</title>";
    const page = head + "é".repeat(2_000_000);
    test.each<[string, RequestListener]>([
      ["with a declared length", html(page)],
      [
        "in several chunks",
        (_request, reply) => {
          reply.writeHead(200, { "content-type": "text/html" });
          for (let at = 0; at < page.length; at += 100_000) reply.write(page.slice(at, at + 100_000));
          reply.end();
        },
      ],
      ["compressed with gzip", packedAs("gzip", gzipSync(page))],
      [
        "compressed with brotli",
        packedAs("br", brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
      ],
      [
        "also large when compressed",
        packedAs("gzip", gzipSync(head + randomBytes(2_000_000).toString("hex"))),
      ],
      [
        "without an end",
        (_request, reply) =>
          void Readable.from(endless(head)).pipe(reply.writeHead(200, { "content-type": "text/html" })),
      ],
    ])("gets truncated: %s", async (_what, answer) => {
      const { html: read } = await answered(answer);
      expect(read.startsWith(head)).toBe(true);
      expect(Buffer.byteLength(read)).toBeLessThanOrEqual(512 * 1024 + 2);
    });
  });

  test("fails when its compression is invalid or expands without end", async () => {
    await expect(answered(packedAs("gzip", Buffer.from("<p>plain</p>")))).rejects.toMatchObject({
      name: "FetchFault",
    });
    const cut = gzipSync(randomBytes(20_000)).subarray(0, 10_000);
    await expect(answered(packedAs("gzip", cut))).rejects.toMatchObject({ name: "FetchFault" });
    const empty = Buffer.concat(Array.from({ length: 40_000 }, () => gzipSync("")));
    await expect(answered(packedAs("gzip", empty))).rejects.toMatchObject({ name: "FetchFault" });
  });

  test("must have status 200 and the content type of a page", async () => {
    await expect(answered(html("%PDF", { "content-type": "application/pdf" }))).rejects.toThrow("not a page");
    for (const encoding of ["compress", "constructor", "toString"])
      await expect(answered(html("x", { "content-encoding": encoding }))).rejects.toThrow(
        "unknown compression",
      );
    await expect(
      answered((_request, reply) => reply.writeHead(404, { "content-type": "text/html" }).end("x")),
    ).rejects.toThrow("no page");
    await expect(answered((request) => request.socket.destroy())).rejects.toThrow("does not respond");
  });

  test("distinguishes permanent from temporary failures", async () => {
    const answering =
      (status: number): RequestListener =>
      (_request, reply) =>
        reply.writeHead(status, { "content-type": "text/html" }).end("x");
    for (const status of [403, 404, 410])
      await expect(answered(answering(status))).rejects.toMatchObject({ passing: false });
    for (const status of [429, 500, 502, 503])
      await expect(answered(answering(status))).rejects.toMatchObject({ passing: true });
    await expect(answered(html("x", { "content-type": "application/pdf" }))).rejects.toMatchObject({
      passing: false,
    });
    await expect(answered((request) => request.socket.destroy())).rejects.toMatchObject({ passing: true });
    await expect(answered(() => {}, 100)).rejects.toMatchObject({ passing: true });
    await expect(createFetcher().page("http://127.0.0.1/")).rejects.toMatchObject({ passing: false });
  });

  test("times out, even while data arrives slowly", async () => {
    await expect(answered(() => {}, 100)).rejects.toMatchObject({ name: "FetchFault" });
    const nobodyKnows = createFetcher({ resolve: () => new Promise(() => {}), timeout: 100 });
    await expect(nobodyKnows.page("http://example.org/")).rejects.toThrow("too long");
    const drip: RequestListener = (_request, reply) => {
      reply.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => reply.write("a"), 10);
      reply.on("close", () => clearInterval(timer));
    };
    // Without a time limit this test would never end: the server sends data slowly as long as the client
    // reads.
    await expect(answered(drip, 200)).rejects.toMatchObject({ name: "FetchFault" });
  });
});
