import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer, waitUntil } from "../support/processes/server-process.ts";

const dataDir = mkdtempSync(join(tmpdir(), "kith killed uploads "));
const [APP, SERVER] = ["A".repeat(32), "5".repeat(32)];
const start = () => startServer(dataDir, { KITH_APP_ID: APP, KITH_SERVER_KEY: SERVER, KITH_SEED: "empty" });
let server: ServerProcess;
beforeAll(async () => {
  server = await start();
}, 120_000);
afterAll(async () => {
  server.child.kill("SIGTERM");
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

const at = (path: string) => `${server.url}/${APP}/${SERVER}/files/${path}`;
/** The files are so large that some uploads are under way at the kill. */
const contentOf = (name: string) => Buffer.alloc(300_000, `${name} `);

/** Uploads files, and appends to one, until `over`; returns what was acknowledged. */
async function sendUntil(over: () => boolean) {
  const names: string[] = [];
  const words: string[] = [];
  const line = async (which: number) => {
    for (let n = 0; !over() && n < 300; n++) {
      const name = `f${which}-${n}`;
      const headers = { "content-type": "application/octet-stream" };
      const kept = await fetch(at(name), { method: "POST", headers, body: contentOf(name) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (kept) names.push(name);
      const added = await fetch(at("append/log.txt"), { method: "PUT", body: `<${name}>` }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (added) words.push(`<${name}>`);
    }
  };
  await Promise.all([1, 2, 3].map(line));
  return { names, words };
}

describe("server killed during uploads", () => {
  test("keeps every acknowledged file complete, and no partial file", async () => {
    let over = false;
    const sending = sendUntil(() => over);
    const half = request(at("half.bin"), {
      method: "POST",
      headers: { "content-type": "application/octet-stream", "content-length": 50_000 },
    });
    half.on("error", () => {});
    half.write("the beginning");
    await waitUntil(async () => (await (await fetch(at("f2-3?action=exists"))).text()) === "true");
    server.child.kill("SIGKILL");
    await server.ended;
    over = true;
    const { names, words } = await sending;
    server = await start();

    expect(names.length).toBeGreaterThan(2);
    const there = (await (await fetch(at("?pagesize=1000"))).json()) as { name: string; size: number }[];
    const found = there.map(({ name }) => name).filter((name) => name !== "log.txt");
    expect(names.filter((name) => !found.includes(name))).toEqual([]);
    expect(found).not.toContain("half.bin");
    for (const name of found)
      expect(Buffer.from(await (await fetch(at(name))).arrayBuffer()).equals(contentOf(name))).toBe(true);
    const log = await (await fetch(at("log.txt"))).text();
    expect(words.filter((word) => !log.includes(word))).toEqual([]);
    expect(log).toMatch(/^(<f\d-\d+>)*$/);
  }, 180_000);
});
