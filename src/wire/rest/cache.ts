import { type Cache, expireAt, expireIn, isCached, putCached, readCached, removeCached } from "#backend/cache";
import { z } from "zod";
import { parsed } from "./parse.ts";
import { type Call, type Route, WrittenJson } from "./route.ts";

type Given = { cache: Cache; key: string; call: Call };

const onKey =
  (work: (given: Given) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work({ cache: call.house.cache, key: call.params["key"] ?? "", call });

const Amount = z
  .string("is said once")
  .regex(/^\d{1,15}(\.\d{1,9})?$/, "is a number of at least 0")
  .transform(Number);
const Life = z.object({ timeout: Amount });
const LifeIfAny = Life.partial();
const Moment = z.object({ timestamp: Amount });

/** A value of maximum size, plus quotes and escapes. */
const LARGEST = 1_100_000;

/** Cached values with a TTL. Every caller may write and read; the keys are shared by all apps. */
export const cacheRoutes: Route[] = [
  {
    method: "PUT",
    path: "/cache/:key",
    most: LARGEST,
    handle: onKey(({ cache, key, call }) => putCached(cache, key, call.body, parsed(LifeIfAny, call.query).timeout)),
  },
  {
    method: "GET",
    path: "/cache/:key",
    handle: onKey(async ({ cache, key }) => new WrittenJson(await readCached(cache, key))),
  },
  { method: "DELETE", path: "/cache/:key", handle: onKey(({ cache, key }) => removeCached(cache, key)) },
  { method: "GET", path: "/cache/:key/check", handle: onKey(({ cache, key }) => isCached(cache, key)) },
  {
    method: "PUT",
    path: "/cache/:key/expireIn",
    handle: onKey(({ cache, key, call }) => expireIn(cache, key, parsed(Life, call.query).timeout)),
  },
  {
    method: "PUT",
    path: "/cache/:key/expireAt",
    handle: onKey(({ cache, key, call }) => expireAt(cache, key, parsed(Moment, call.query).timestamp)),
  },
];
