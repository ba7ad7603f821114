export {
  type Cache,
  clearCache,
  expireAt,
  expireAfter,
  isCached,
  createCache,
  putCached,
  getCached,
  removeCached,
} from "./cache.ts";
export { purgeCache } from "./postgres-cache.ts";
