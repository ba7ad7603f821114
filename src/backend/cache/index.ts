export { type Cache, expireAt, expireIn, isCached, openCache, purgeCache, putCached, readCached, removeCached } from "./cache.ts";
