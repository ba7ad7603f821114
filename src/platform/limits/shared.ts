import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Redis } from "#platform/redis";

type Allowed = { points: number; duration: number };
type Counting = Allowed & { keyPrefix: string };

/**
 * What is counted for all processes together. The library is handed those few commands that it knows, each of which ends in time; while Redis is
 * away, this process counts for itself, so that nobody is kept out and no limit is open.
 */
export class SharedLimiter extends RateLimiterRedis {
  readonly #meanwhile: RateLimiterMemory;

  constructor(redis: Redis, counting: Counting) {
    const meanwhile = new RateLimiterMemory(counting);
    super({
      ...counting,
      keyPrefix: `${redis.prefix}limit:${counting.keyPrefix}`,
      storeClient: commandsOf(redis),
      useRedisPackage: true,
      insuranceLimiter: meanwhile,
    });
    this.#meanwhile = meanwhile;
  }

  /** What is allowed from now on, whoever counts. */
  allow(allowed: Allowed): void {
    Object.assign(this.#meanwhile, allowed);
    Object.assign(this, allowed);
  }

  /** Whoever gets their points back gets those back as well that were counted here while Redis was away: it may be away again. */
  override async delete(key: string): Promise<boolean> {
    await this.#meanwhile.delete(key);
    return super.delete(key);
  }
}

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
