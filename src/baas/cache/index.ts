export {
  type Cache,
  clearCache,
  expireAt,
  expireAfter,
  isCached,
  openCache,
  putCached,
  getCached,
  removeCached,
} from "./cache.ts";
export { purgeCache } from "./postgres-cache.ts";
