import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, beforeAll } from "vitest";
import type { Bucket } from "../../../src/platform/storage/s3-client.ts";

/** Starts a local S3 server with a bucket. */
export async function startTestBucket(): Promise<Bucket & { close: () => Promise<void> }> {
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

/** Opens a bucket and a folder for all tests of a file. */
export function setUpBucketAndFolder() {
  const root = mkdtempSync(join(tmpdir(), "kith-storage-"));
  let bucket: Awaited<ReturnType<typeof startTestBucket>>;
  beforeAll(async () => void (bucket = await startTestBucket()));
  afterAll(async () => {
    await bucket.close();
    rmSync(root, { recursive: true });
  });
  return { root, bucket: () => bucket };
}
