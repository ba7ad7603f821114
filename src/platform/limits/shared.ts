import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Redis } from "#platform/redis";

type Counting = { keyPrefix: string; points: number; duration: number };

/**
 * What is counted for all processes together. The library is handed those few commands that it knows, each of which ends in time; while Redis is
 * away, this process counts for itself, so that nobody is kept out and no limit is open.
 */
export const sharedLimiter = (redis: Redis, counting: Counting) =>
  new RateLimiterRedis({
    ...counting,
    keyPrefix: `${redis.prefix}limit:${counting.keyPrefix}`,
    storeClient: commandsOf(redis),
    useRedisPackage: true,
    insuranceLimiter: new RateLimiterMemory(counting),
  });

const commandsOf = (redis: Redis) => ({
  eval: (lua: string, { keys, arguments: rest }: { keys: string[]; arguments: string[] }) =>
    redis.call("EVAL", lua, String(keys.length), ...keys, ...rest),
  del: (key: string) => redis.call("DEL", key),
  multi() {
    const commands: string[][] = [];
    const multi = {
      get: (key: string) => (commands.push(["GET", key]), multi),
      pTTL: (key: string) => (commands.push(["PTTL", key]), multi),
      exec: () => redis.together(commands),
    };
    return multi;
  },
});
