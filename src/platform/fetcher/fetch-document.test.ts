import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createFetcher, ForbiddenAddress, OversizedResponse } from "./index.ts";
import { app, reaching } from "../../../test/support/foreign-server.ts";

describe("document of the fetcher", () => {
  const NOTHING_KNOWN = { etag: null, lastModified: null };
  const url = "http://calendar.example/club.ics";

  test("has its validators, and is not read again while it is unchanged", async () => {
    const port = await app((request, reply) =>
      request.headers["if-none-match"] === '"1"'
        ? reply.writeHead(304).end()
        : reply
            .writeHead(200, { etag: '"1"', "last-modified": "Mon, 01 Mar 2027 10:00:00 GMT" })
            .end("BEGIN"),
    );
    const { document } = reaching(port);
    const first = await document(`http://calendar.example:${port}/`, NOTHING_KNOWN, 10);
    expect(first).toEqual({ text: "BEGIN", etag: '"1"', lastModified: "Mon, 01 Mar 2027 10:00:00 GMT" });
    expect(await document(`http://calendar.example:${port}/`, first, 10)).toEqual({ ...first, text: null });
  });

  test.each([
    ["plain", (bytes: Buffer) => bytes, {}],
    ["compressed", gzipSync, { "content-encoding": "gzip" }],
  ])("fails above its maximum size: %s", async (_, pack, headers) => {
    const port = await app((_request, reply) =>
      reply.writeHead(200, headers).end(pack(Buffer.from("a".repeat(1_000)))),
    );
    const read = (most: number) =>
      reaching(port).document(`http://calendar.example:${port}/`, NOTHING_KNOWN, most);
    expect((await read(1_000)).text).toHaveLength(1_000);
    await expect(read(999)).rejects.toBeInstanceOf(OversizedResponse);
  });

  test.each([404, 500])("fails with status %i", async (status) => {
    const port = await app((_request, reply) => reply.writeHead(status).end());
    await expect(
      reaching(port).document(`http://calendar.example:${port}/`, NOTHING_KNOWN, 10),
    ).rejects.toMatchObject({ passing: status === 500 });
  });

  test("causes no request inside the network, nor after a redirect into it", async () => {
    const inside = createFetcher({ resolve: async () => ["192.168.1.1"] });
    await expect(inside.document(url, NOTHING_KNOWN, 10)).rejects.toBeInstanceOf(ForbiddenAddress);
    const port = await app((_request, reply) =>
      reply.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    );
    await expect(
      reaching(port).document(`http://calendar.example:${port}/`, NOTHING_KNOWN, 10),
    ).rejects.toBeInstanceOf(ForbiddenAddress);
  });
});
