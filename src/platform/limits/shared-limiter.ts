import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Redis } from "#platform/redis";

type LimiterAllowance = { points: number; duration: number };
type LimiterOptions = LimiterAllowance & { keyPrefix: string };

/**
 * Counts for all processes together in Redis. The library gets only the commands it needs, each with a
 * timeout. While Redis is unavailable each process counts on its own, so no request is blocked and every
 * limit still applies.
 */
export class SharedLimiter extends RateLimiterRedis {
  readonly #meanwhile: RateLimiterMemory;

  constructor(redis: Redis, counting: LimiterOptions) {
    const meanwhile = new RateLimiterMemory(counting);
    super({
      ...counting,
      keyPrefix: `${redis.prefix}limit:${counting.keyPrefix}`,
      storeClient: toLimiterClient(redis),
      useRedisPackage: true,
      insuranceLimiter: meanwhile,
    });
    this.#meanwhile = meanwhile;
  }

  /** Changes the limit for both counters. */
  allow(allowed: LimiterAllowance): void {
    Object.assign(this.#meanwhile, allowed);
    Object.assign(this, allowed);
  }

  /** Also resets the points counted locally during an outage, because Redis may fail again. */
  override async delete(key: string): Promise<boolean> {
    await this.#meanwhile.delete(key);
    return super.delete(key);
  }
}

const toLimiterClient = (redis: Redis) => ({
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
