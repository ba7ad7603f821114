import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import Fastify from "fastify";
import { reportUsage } from "./cpu.ts";

/** Baseline for files: Fastify streams a body to disk, flushed as in Kith, and back. */
const folder = mkdtempSync(join(tmpdir(), "kith-bench-bare-"));
const path = join(folder, "it");
const server = Fastify({ bodyLimit: 1_000_000_000 });
server.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
server.put<{ Body: NodeJS.ReadableStream }>("/it", async (request) => {
  await pipeline(request.body, createWriteStream(path));
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
  return {};
});
server.get("/it", async (_request, reply) =>
  reply.type("application/octet-stream").send(createReadStream(path)),
);
await server.listen({ port: Number(process.env["BENCH_PORT"]), host: "127.0.0.1" });
reportUsage(async () => rmSync(folder, { recursive: true, force: true }));
