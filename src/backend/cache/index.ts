export { type Cache, emptyCache, expireAt, expireIn, isCached, openCache, putCached, readCached, removeCached } from "./cache.ts";
export { purgeCache } from "./in-postgres.ts";
