import { MINUTE, SECOND } from "#platform/clock";
import { tooManyRequests } from "#platform/limits";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Caller, Subscription } from "./realtime-caller.ts";

/** Maximum open subscriptions: per process, per person, for all guests of one address, and per address. */
export const OPEN_SUBSCRIPTION_LIMITS = { process: 50_000, person: 3_000, guests: 5_000, address: 20_000 };
/**
 * Maximum subscription requests per minute. A reconnecting app repeats all of its subscriptions at once;
 * everyone in a school, for example, may share one address, with about fifteen subscriptions each.
 */
export const REQUEST_LIMITS = { person: 6_000, guests: 6_000, address: 30_000 };

type HolderKind = "person" | "guests" | "address";
type Holder = { of: HolderKind; key: string };

/**
 * The person and address that a caller's subscriptions count for. Apps with the server key belong to the
 * operator and are not limited.
 */
function listHolders({ viewer, network, withServerKey }: Caller): Holder[] {
  if (withServerKey) return [];
  const own: Holder =
    viewer.id === null
      ? { of: "guests", key: `guests/${network}` }
      : { of: "person", key: `person/${viewer.id}` };
  return [own, { of: "address", key: `address/${network}` }];
}

const HOLDER_LABELS: Record<HolderKind, string> = {
  person: "One person",
  guests: "Guests at one address",
  address: "One address",
};

/** Counts open subscriptions and requests. A class, because it keeps state. */
export class SubscriptionLimits {
  readonly #open = new Map<string, number>();
  readonly #holders = new WeakMap<Subscription, Holder[]>();
  /**
   * Requests in the current minute, counted in this process only: a counter shared between processes would
   * cost as much as the lookup.
   */
  readonly #requests = new Map<string, number>();
  readonly #now: () => number;
  #minuteEnds = 0;
  #total = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts a request.
   * @throws `too-many`, naming the limit, above the requests per minute
   */
  countRequest(caller: Caller): void {
    const now = this.#now();
    if (now >= this.#minuteEnds) {
      this.#requests.clear();
      this.#minuteEnds = now + MINUTE;
    }
    for (const { of, key } of listHolders(caller)) {
      const count = (this.#requests.get(key) ?? 0) + 1;
      this.#requests.set(key, count);
      if (count > REQUEST_LIMITS[of])
        throw tooManyRequests(
          Math.ceil((this.#minuteEnds - now) / SECOND),
          msg("{holderLabels} can request at most {count} subscriptions per minute.", {
            holderLabels: HOLDER_LABELS[of],
            count: REQUEST_LIMITS[of],
          }),
        );
    }
  }

  /**
   * Refuses a caller who already has the maximum number of subscriptions.
   * @throws `too-many`, naming the limit
   */
  assertShare(caller: Caller): void {
    if (this.#total >= OPEN_SUBSCRIPTION_LIMITS.process)
      throw new Refusal(
        "too-many",
        msg("This server has {count} subscriptions, the maximum. Try again later.", {
          count: OPEN_SUBSCRIPTION_LIMITS.process,
        }),
      );
    for (const { of, key } of listHolders(caller))
      if ((this.#open.get(key) ?? 0) >= OPEN_SUBSCRIPTION_LIMITS[of])
        throw new Refusal(
          "too-many",
          msg("{holderLabels} can have at most {count} subscriptions.", {
            holderLabels: HOLDER_LABELS[of],
            count: OPEN_SUBSCRIPTION_LIMITS[of],
          }),
        );
  }

  /** Counts a subscription for the user who opened it, even if the connection's user changes later. */
  add(caller: Caller, subscription: Subscription): void {
    const holders = listHolders(caller);
    this.#holders.set(subscription, holders);
    this.#total++;
    for (const { key } of holders) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
  }

  remove(subscription: Subscription): void {
    this.#total--;
    for (const { key } of this.#holders.get(subscription) ?? []) {
      const left = this.#open.get(key)! - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    }
  }
}
