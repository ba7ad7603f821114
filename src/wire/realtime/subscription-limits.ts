import { MINUTE, SECOND } from "#platform/clock";
import { tooMany } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import type { Caller, Subscription } from "./caller.ts";

/** Subscriptions that one process holds, and what one person, the guests of one address, and all of one address hold of them. */
export const HOLDING = { process: 50_000, person: 3_000, guests: 5_000, address: 20_000 };
/** Requests for subscriptions in a minute. A program that comes back asks for all that it follows at once, a school for fifteen each. */
export const ASKING = { person: 6_000, guests: 6_000, address: 30_000 };

type Of = "person" | "guests" | "address";
type Holder = { of: Of; key: string };

/** On whose account a caller subscribes. A program with the server key is the operator's own. */
function holdersOf({ viewer, network, withServerKey }: Caller): Holder[] {
  if (withServerKey) return [];
  const own: Holder = viewer.id === null ? { of: "guests", key: `guests/${network}` } : { of: "person", key: `person/${viewer.id}` };
  return [own, { of: "address", key: `address/${network}` }];
}

const WHO: Record<Of, string> = { person: "One person", guests: "Guests at one address", address: "One address" };

/** Counts what callers hold and ask for. A class, because it remembers. */
export class SubscriptionLimits {
  readonly #held = new Map<string, number>();
  readonly #holders = new WeakMap<Subscription, Holder[]>();
  /** Requests since the minute began. Of this process alone: asking others would cost as much as the lookup. */
  readonly #asked = new Map<string, number>();
  readonly #now: () => number;
  #minuteEnds = 0;
  #total = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @throws `too-many`, with the limit in its sentence, for a caller who has asked for too much within a minute. */
  countRequest(caller: Caller): void {
    const now = this.#now();
    if (now >= this.#minuteEnds) {
      this.#asked.clear();
      this.#minuteEnds = now + MINUTE;
    }
    for (const { of, key } of holdersOf(caller)) {
      const asked = (this.#asked.get(key) ?? 0) + 1;
      this.#asked.set(key, asked);
      if (asked > ASKING[of])
        throw tooMany(Math.ceil((this.#minuteEnds - now) / SECOND), `${WHO[of]} can ask for ${ASKING[of]} subscriptions a minute.`);
    }
  }

  /** @throws `too-many`, with the limit in its sentence, for a caller who holds as many as they can. */
  assertShare(caller: Caller): void {
    if (this.#total >= HOLDING.process)
      throw new Refusal("too-many", `This server can hold ${HOLDING.process} subscriptions. Please try again later.`);
    for (const { of, key } of holdersOf(caller))
      if ((this.#held.get(key) ?? 0) >= HOLDING[of]) throw new Refusal("too-many", `${WHO[of]} can have ${HOLDING[of]} subscriptions.`);
  }

  /** It stays on the account of whoever opened it, also when somebody else speaks through the connection later. */
  add(caller: Caller, subscription: Subscription): void {
    const holders = holdersOf(caller);
    this.#holders.set(subscription, holders);
    this.#total++;
    for (const { key } of holders) this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  remove(subscription: Subscription): void {
    this.#total--;
    for (const { key } of this.#holders.get(subscription) ?? []) {
      const left = this.#held.get(key)! - 1;
      if (left > 0) this.#held.set(key, left);
      else this.#held.delete(key);
    }
  }
}
