import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Redis } from "#platform/redis";
import { type Message, type MessageDescriptor, msg, toDescriptor } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { SharedLimiter } from "./shared-limiter.ts";

export { CachedQuota } from "./cached-quota.ts";

/** Allows at most `points` within `seconds`. */
export type RateLimit = { points: number; seconds: number };

/** Counts calls per limit and caller: in this process, or in Redis for all processes that share it. */
export class Limits {
  readonly #redis: Redis | null;
  readonly #counters = new Map<string, RateLimiterMemory | SharedLimiter>();

  constructor(redis: Redis | null = null) {
    this.#redis = redis;
  }

  /**
   * Takes `cost` points from the key's allowance.
   * @throws `too-many` with the seconds to wait
   */
  async take(name: string, allowance: RateLimit, key: string, cost = 1): Promise<void> {
    await this.takeAndCount(name, allowance, key, cost);
  }

  /**
   * Takes points like `take`, and returns the points that are left until the window ends.
   * @throws like `take`
   */
  async takeAndCount(name: string, allowance: RateLimit, key: string, cost = 1): Promise<RateLimit> {
    try {
      const { remainingPoints, msBeforeNext } = await this.#counter(name, allowance).consume(key, cost);
      return { points: remainingPoints, seconds: Math.ceil(msBeforeNext / 1000) };
    } catch (spent) {
      if (!(spent instanceof RateLimiterRes)) throw spent;
      throw tooManyRequests(Math.ceil(spent.msBeforeNext / 1000));
    }
  }

  /** Points that the key has used within the window. */
  async used(name: string, allowance: RateLimit, key: string): Promise<number> {
    return (await this.#counter(name, allowance).get(key))?.consumedPoints ?? 0;
  }

  /** Resets a key's points, for instance after a successful sign-in. */
  async forget(name: string, allowance: RateLimit, key: string): Promise<void> {
    await this.#counter(name, allowance).delete(key);
  }

  /** Deletes all counts, in Redis for all processes: for test installations that are emptied. */
  async clear(): Promise<void> {
    this.#counters.clear();
    if (this.#redis) await this.#redis.removeAll("limit:");
  }

  #counter(name: string, { points, seconds }: RateLimit) {
    const known = this.#counters.get(name);
    // The limit may be a setting that changes: points already counted remain, and the current limit applies.
    if (known instanceof SharedLimiter) known.allow({ points, duration: seconds });
    else if (known) Object.assign(known, { points, duration: seconds });
    if (known) return known;
    const counting = { keyPrefix: name, points, duration: seconds };
    const counter = this.#redis ? new SharedLimiter(this.#redis, counting) : new RateLimiterMemory(counting);
    this.#counters.set(name, counter);
    return counter;
  }
}

/** The refusal for too many requests, with the seconds to wait. `why` is a sentence. */
export const tooManyRequests = (retryAfter: number, why: Message = msg("Too many requests.")) =>
  new Refusal("too-many", withWait(toDescriptor(why), retryAfter), { retryAfter });

function withWait(why: MessageDescriptor, seconds: number): MessageDescriptor {
  if (seconds < 90)
    return msg("{why} Please try again in {count, plural, one {# second} other {# seconds}}.", {
      why,
      count: Math.ceil(seconds),
    });
  if (seconds < 5400)
    return msg("{why} Please try again in {count, plural, one {# minute} other {# minutes}}.", {
      why,
      count: Math.ceil(seconds / 60),
    });
  return msg("{why} Please try again in {count, plural, one {# hour} other {# hours}}.", {
    why,
    count: Math.ceil(seconds / 3600),
  });
}
