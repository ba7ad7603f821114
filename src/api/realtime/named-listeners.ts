import type { Caller } from "./realtime-caller.ts";

/** Callers and their subscription ids, in order of subscription. */
export type SubscriptionsByCaller = ReadonlyMap<Caller, ReadonlySet<string>>;

/** Listeners by name. */
export class NamedListeners {
  readonly #under = new Map<string, Map<Caller, Set<string>>>();

  add(name: string, caller: Caller, id: string): void {
    const listeners = this.#under.get(name) ?? new Map<Caller, Set<string>>();
    listeners.set(caller, (listeners.get(caller) ?? new Set()).add(id));
    this.#under.set(name, listeners);
  }

  remove(name: string, caller: Caller, id: string): void {
    const listeners = this.#under.get(name);
    const ids = listeners?.get(caller);
    ids?.delete(id);
    if (ids?.size === 0) listeners!.delete(caller);
    if (listeners?.size === 0) this.#under.delete(name);
  }

  under(name: string): SubscriptionsByCaller {
    return this.#under.get(name) ?? NO_LISTENERS;
  }
}

const NO_LISTENERS: SubscriptionsByCaller = new Map();
