import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { createRequest } from "@remix-run/node-fetch-server";
import { expect, onTestFinished, test } from "vitest";
import { limitBody } from "./body-limits.ts";

const MB = 1_000_000;
const PARTS = "multipart/form-data; boundary=x";
const PLAIN = "application/x-www-form-urlencoded";

/** A body without content-length. */
const sent = (path: string, type: string, size: number) => {
  const body = new Blob([Buffer.alloc(size, "a")]).stream();
  return new Request(`http://kith.test${path}`, {
    method: "POST",
    headers: { "content-type": type },
    body,
    duplex: "half",
  } as RequestInit);
};

test.each([
  ["/login", PLAIN, 0.9],
  ["/discussions/1", PARTS, 10.9],
  ["/groups/long-beds/new.data", PARTS, 10.9],
  ["/groups/long-beds/manage/cover", PARTS, 8.9],
  ["/groups/long-beds/manage/photo.data", PARTS, 8.9],
  ["/users/editPhoto/1", PARTS, 8.9],
  ["/groups/long-beds/events/import.data", PARTS, 5.05],
  ["/admin/imports", PARTS, 20],
])("a form to %s as %s with %s MB is accepted", async (path, type, size) => {
  expect((await limitBody(sent(path, type, size * MB)).arrayBuffer()).byteLength).toBe(size * MB);
});

test.each([
  ["/login", PLAIN, 1.1],
  ["/login", PARTS, 1.1],
  ["/discussions/1", PLAIN, 1.1],
  ["/discussions/1", PARTS, 11.1],
  ["/groups/long-beds/manage/access", PARTS, 1.1],
  ["/users/editPhoto/1", PARTS, 9.1],
  ["/groups/long-beds/events/import", PARTS, 5.2],
])("a form to %s as %s with %s MB is refused, with or without content-length", async (path, type, size) => {
  await expect(limitBody(sent(path, type, size * MB)).arrayBuffer()).rejects.toMatchObject({
    reason: "too-large",
  });
  const request = new Request(sent(path, type, 1), {
    headers: { "content-type": type, "content-length": String(size * MB) },
  });
  expect(() => limitBody(request)).toThrow(/You can send at most \d+ MB here/);
});

/** Response of a server that reads whole forms to these raw bytes. */
async function answerTo(bytes: string): Promise<string> {
  const server = createServer(async (request, response) =>
    response.end(`took ${await limitBody(createRequest(request, response)).text()}`),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const line = connect((server.address() as AddressInfo).port, "127.0.0.1");
  line.end(`POST /login HTTP/1.1\r\nHost: kith.test\r\n${bytes}`);
  return text(line);
}

test("the server reads no more than content-length and rejects a second length header", async () => {
  const another =
    "POST /login HTTP/1.1\r\nHost: kith.test\r\nConnection: close\r\nContent-Length: 3\r\n\r\nada";
  expect(await answerTo(`Content-Length: 4\r\n\r\nmira${another}`)).toMatch(
    /^HTTP\/1.1 200 [^]*took miraHTTP\/1.1 200 [^]*took ada$/,
  );
  expect(
    await answerTo("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nmira\r\n0\r\n\r\n"),
  ).toMatch(/^HTTP\/1.1 400 /);
});
