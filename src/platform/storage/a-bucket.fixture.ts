import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import type { Bucket } from "./s3-calls.ts";

/** A server that speaks S3, with a bucket on it, on this machine. */
export async function openBucket(): Promise<Bucket & { close: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "kith-bucket-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: "kith" }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}/kith`,
    key: "S3RVER",
    secret: "S3RVER",
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
