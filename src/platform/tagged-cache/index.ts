export { TaggedCache } from "./tagged-cache.ts";
export type { CacheStatistics } from "./tagged-cache.ts";
