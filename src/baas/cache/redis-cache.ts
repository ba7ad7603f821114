import type { Runtime } from "#platform/clock";
import { type Redis, type RedisScript, defineScript } from "#platform/redis";
import { MAX_CACHE_KEYS, type CacheStore } from "./cache-store.ts";

/**
 * Each value has a key of its own, which Redis expires. A sorted set holds the expiry time of each value by
 * our own clock, so that unexpired values can be counted.
 */
const SCRIPT_PRELUDE = `
local ends, key, now = KEYS[1] .. 'cache', ARGV[1], tonumber(ARGV[2])
local value = KEYS[1] .. 'cache:' .. key
local ending = tonumber(redis.call('ZSCORE', ends, key) or 0)
local function finish(at)
  if at > now then
    redis.call('ZADD', ends, at, key)
    redis.call('PEXPIRE', value, at - now)
  else
    redis.call('ZREM', ends, key)
    redis.call('DEL', value)
  end
end
`;
const PUT = defineScript(`${SCRIPT_PRELUDE}
redis.call('ZREMRANGEBYSCORE', ends, '-inf', now)
if ending <= now and redis.call('ZCARD', ends) >= tonumber(ARGV[5]) then return 'full' end
redis.call('SET', value, ARGV[3])
finish(tonumber(ARGV[4]))
return 'ok'`);
const READ = defineScript(`${SCRIPT_PRELUDE}
return ending > now and redis.call('GET', value)`);
const HAS = defineScript(`${SCRIPT_PRELUDE}
return ending > now and redis.call('EXISTS', value) or 0`);
const REMOVE = defineScript(`${SCRIPT_PRELUDE}
finish(now)`);
const END = defineScript(`${SCRIPT_PRELUDE}
if ending > now then finish(tonumber(ARGV[3])) end`);

/** The cache in Redis, which may evict values when it is short of memory. */
export function createRedisCache(redis: Redis, runtime: Runtime): CacheStore {
  const on = <T>(what: RedisScript, key: string, ...more: (string | number)[]) =>
    redis.run<T>(what, key, runtime.now().getTime(), ...more);
  return {
    async put(key, text, until) {
      if ((await on(PUT, key, text, Math.trunc(until), MAX_CACHE_KEYS)) === "full") return "full";
    },
    read: async (key) => (await on<string | null>(READ, key)) ?? undefined,
    has: async (key) => (await on(HAS, key)) === 1,
    async remove(key) {
      await on(REMOVE, key);
    },
    async endAt(key, until) {
      await on(END, key, Math.trunc(until));
    },
    empty: () => redis.removeAll("cache"),
  };
}
