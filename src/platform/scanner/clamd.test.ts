import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { VIRUS_BYTES, createTestScanner } from "../../../test/support/storage/clamd-server.ts";
import { TooLargeToScan, createScanner, ScannerUnavailable } from "./index.ts";

const open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((done) => server.close(done))));
});
async function listening(server: Server): Promise<string> {
  open.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const bytes = (...parts: (string | Buffer)[]) => Readable.from(parts.map((part) => Buffer.from(part)));

describe("virus scanner", () => {
  test("passes a clean file and finds a virus at any position", async () => {
    const scanner = createScanner(await listening(createTestScanner()));
    expect(await scanner.scan(bytes("seeds"))).toEqual({ found: null });
    expect(await scanner.scan(bytes())).toEqual({ found: null });
    const large = Buffer.alloc(300_000, "x");
    expect(
      await scanner.scan(bytes(large, large, VIRUS_BYTES.slice(0, 4), VIRUS_BYTES.slice(4), large)),
    ).toEqual({ found: "Test.Evil-1" });
  });

  test("works over a unix socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kith-clamd-"));
    const server = createTestScanner();
    open.push(server);
    const path = join(folder, "clamd.sock");
    await new Promise<void>((done) => server.listen(path, done));
    expect(await createScanner(`unix:${path}`).scan(bytes(VIRUS_BYTES))).toEqual({ found: "Test.Evil-1" });
    rmSync(folder, { recursive: true });
  });

  test("reports a file above its size limit", async () => {
    const scanner = createScanner(await listening(createTestScanner(1_000)));
    await expect(scanner.scan(bytes(Buffer.alloc(500_000)))).rejects.toThrow(TooLargeToScan);
  });

  test("counts as unavailable when it gives no valid answer in time", async () => {
    const server = createServer();
    const address = await listening(server);
    await new Promise((done) => server.close(done));
    open.pop();
    const mute = createServer((line) => void line.on("error", () => {}).resume());
    for (const [where, timeout] of [
      [address, 1_000],
      [await listening(createServer((line) => void line.on("error", () => {}).destroy())), 1_000],
      [
        await listening(
          createServer(
            (line) =>
              void line
                .on("error", () => {})
                .resume()
                .end("HELLO\0"),
          ),
        ),
        1_000,
      ],
      [await listening(mute), 50],
      ["unix:/nowhere/clamd.sock", 1_000],
    ] as const)
      await expect(createScanner(where, timeout).scan(bytes("seeds"))).rejects.toThrow(ScannerUnavailable);
  });
});
