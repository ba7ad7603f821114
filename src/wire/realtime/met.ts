import type { Caller } from "./caller.ts";

/** So many are shown to one listener of a channel: what there are names for on a page. */
const MOST = 200;

/**
 * Which connections each listener of a channel was told to be there. Who goes says goodbye to those, and to nobody else: by then they may
 * know nothing of each other any more, and from who never knew there is nothing to take back.
 */
export class Met {
  readonly #shown = new WeakMap<Caller, Map<string, Set<string>>>();

  /** Begins anew; gives as many of them as are shown. */
  list(listener: Caller, channel: string, present: Caller[]): Caller[] {
    const shown = present.slice(0, MOST);
    const channels = this.#shown.get(listener) ?? new Map<string, Set<string>>();
    channels.set(channel, new Set(shown.map(({ connectionId }) => connectionId)));
    this.#shown.set(listener, channels);
    return shown;
  }

  /** False where there are so many already that no more are shown. */
  show(listener: Caller, channel: string, { connectionId }: Caller): boolean {
    const shown = this.#shown.get(listener)?.get(channel);
    if (!shown || shown.size >= MOST) return false;
    shown.add(connectionId);
    return true;
  }

  knows = (listener: Caller, channel: string, { connectionId }: Caller): boolean =>
    this.#shown.get(listener)?.get(channel)?.has(connectionId) ?? false;

  /** True where they had been shown. */
  part(listener: Caller, channel: string, { connectionId }: Caller): boolean {
    return this.#shown.get(listener)?.get(channel)?.delete(connectionId) ?? false;
  }
}
