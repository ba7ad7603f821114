import { type Cache, expireAt, expireAfter, isCached, putCached, getCached, removeCached } from "#baas/cache";
import { z } from "zod";
import { parseInput } from "./parse-input.ts";
import { type Call, type Route, WrittenJson } from "./rest-route.ts";

type CacheCall = { cache: Cache; key: string; call: Call };

const handleCacheKey =
  (work: (given: CacheCall) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work({ cache: call.app.cache, key: call.params["key"] ?? "", call });

const PositiveNumber = z
  .string("must be given once")
  .regex(/^\d{1,15}(\.\d{1,9})?$/, "must be a number of at least 0")
  .transform(Number);
const TtlParams = z.object({ timeout: PositiveNumber });
const OptionalTtlParams = TtlParams.partial();
const ExpiryParams = z.object({ timestamp: PositiveNumber });

/** A value of maximum size, plus quotes and escapes. */
const MAX_BODY = 1_100_000;

/** Cached values with a TTL. Every caller may write and read; the keys are shared by all apps. */
export const cacheRoutes: Route[] = [
  {
    method: "PUT",
    path: "/cache/:key",
    most: MAX_BODY,
    handle: handleCacheKey(({ cache, key, call }) =>
      putCached(cache, key, call.body, parseInput(OptionalTtlParams, call.query).timeout),
    ),
  },
  {
    method: "GET",
    path: "/cache/:key",
    handle: handleCacheKey(async ({ cache, key }) => new WrittenJson(await getCached(cache, key))),
  },
  {
    method: "DELETE",
    path: "/cache/:key",
    handle: handleCacheKey(({ cache, key }) => removeCached(cache, key)),
  },
  {
    method: "GET",
    path: "/cache/:key/check",
    handle: handleCacheKey(({ cache, key }) => isCached(cache, key)),
  },
  {
    method: "PUT",
    path: "/cache/:key/expireIn",
    handle: handleCacheKey(({ cache, key, call }) =>
      expireAfter(cache, key, parseInput(TtlParams, call.query).timeout),
    ),
  },
  {
    method: "PUT",
    path: "/cache/:key/expireAt",
    handle: handleCacheKey(({ cache, key, call }) =>
      expireAt(cache, key, parseInput(ExpiryParams, call.query).timestamp),
    ),
  },
];
