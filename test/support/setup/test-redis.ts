import { afterAll, beforeEach, inject } from "vitest";
import { createLog } from "#platform/log";
import { Redis } from "#platform/redis";

/**
 * Opens this worker's Redis, emptied before each test. Call it once at the top of a file, only when
 * `inject("redis")` is not null.
 */
export async function testRedis(): Promise<Redis> {
  const url = `${inject("redis")}/${process.env["VITEST_POOL_ID"] ?? "0"}`;
  const redis = await Redis.open({ url, prefix: "kith:{test}:", log: createLog("silent"), timeout: 60_000 });
  beforeEach(async () => void (await redis.call("FLUSHDB")));
  afterAll(() => redis.close());
  return redis;
}
