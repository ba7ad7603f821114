import { type AddressInfo, connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createLog } from "#platform/log";
import { Refusal } from "#platform/refusal";
import { createHttpServer } from "./index.ts";

const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
server.removeAllContentTypeParsers();
server.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
server.post("/taken", async () => {
  throw new Refusal("conflict", "There is one already.");
});
server.get("/there", async () => "it is");
await server.listen({ port: 0, host: "127.0.0.1" });
const { port } = server.server.address() as AddressInfo;
afterAll(() => server.close());

/** A raw connection, and everything received on it. */
function line() {
  let text = "";
  const socket = connect(port, "127.0.0.1");
  const ended = new Promise<void>((done) => socket.once("close", () => done()));
  socket.on("data", (part) => (text += String(part))).on("error", () => {});
  return { socket, received: () => text, ended };
}
const BEGUN = "POST /taken HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n";

test("client that still sends a rejected body gets the response and keeps its connection", async () => {
  const { socket, received } = line();
  socket.write(BEGUN);
  await expect.poll(received).toContain("There is one already.");
  socket.write("4\r\nrest\r\n0\r\n\r\nGET /there HTTP/1.1\r\nhost: x\r\n\r\n");
  await expect.poll(received).toContain("it is");
  socket.destroy();
});

test("client that never stops sending a rejected body gets the response before it is disconnected", async () => {
  const { socket, received, ended } = line();
  socket.write(BEGUN);
  await expect.poll(received).toContain("There is one already.");
  const piece = `8000\r\n${"x".repeat(0x8000)}\r\n`;
  for (let n = 0; n < 100 && !socket.destroyed; n++) socket.write(piece);
  await ended;
});

test('client that announces a very large body gets the header "connection: close"', async () => {
  const { socket, received, ended } = line();
  socket.write("POST /taken HTTP/1.1\r\nhost: x\r\ncontent-length: 5000000\r\n\r\nbegun");
  await expect.poll(received).toContain("connection: close");
  await expect.poll(received).toContain("There is one already.");
  await ended;
});
