import type { Caller } from "./realtime-caller.ts";

/** Callers and their subscription ids, in order of subscription. */
export type SubscriptionsByCaller = ReadonlyMap<Caller, ReadonlySet<string>>;

/** Listeners by name. */
export class Listeners {
  readonly #under = new Map<string, Map<Caller, Set<string>>>();

  add(name: string, caller: Caller, id: string): void {
    const ears = this.#under.get(name) ?? new Map<Caller, Set<string>>();
    ears.set(caller, (ears.get(caller) ?? new Set()).add(id));
    this.#under.set(name, ears);
  }

  remove(name: string, caller: Caller, id: string): void {
    const ears = this.#under.get(name);
    const ids = ears?.get(caller);
    ids?.delete(id);
    if (ids?.size === 0) ears!.delete(caller);
    if (ears?.size === 0) this.#under.delete(name);
  }

  under(name: string): SubscriptionsByCaller {
    return this.#under.get(name) ?? NO_LISTENERS;
  }
}

const NO_LISTENERS: SubscriptionsByCaller = new Map();
