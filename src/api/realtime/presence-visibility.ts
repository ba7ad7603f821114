import type { Caller } from "./realtime-caller.ts";

/** Maximum people shown to one listener of a channel, as many as a page can name. */
const MAX_SHOWN = 200;

/**
 * Records which connections each listener of a channel has been shown. A departure is announced to exactly
 * these listeners: visibility may have changed since, and other listeners were never shown the connection.
 */
export class PresenceVisibility {
  readonly #shown = new WeakMap<Caller, Map<string, Set<string>>>();

  /** Replaces what a listener has been shown; returns the callers that are shown, up to the maximum. */
  list(listener: Caller, channel: string, present: Caller[]): Caller[] {
    const shown = present.slice(0, MAX_SHOWN);
    const channels = this.#shown.get(listener) ?? new Map<string, Set<string>>();
    channels.set(channel, new Set(shown.map(({ connectionId }) => connectionId)));
    this.#shown.set(listener, channels);
    return shown;
  }

  /**
   * Records that a listener is shown a connection. False if the listener has requested no list, or already
   * sees the maximum.
   */
  show(listener: Caller, channel: string, { connectionId }: Caller): boolean {
    const shown = this.#shown.get(listener)?.get(channel);
    if (!shown || shown.size >= MAX_SHOWN) return false;
    shown.add(connectionId);
    return true;
  }

  knows = (listener: Caller, channel: string, { connectionId }: Caller): boolean =>
    this.#shown.get(listener)?.get(channel)?.has(connectionId) ?? false;

  /** Forgets a connection; true if the listener had been shown it. */
  part(listener: Caller, channel: string, { connectionId }: Caller): boolean {
    return this.#shown.get(listener)?.get(channel)?.delete(connectionId) ?? false;
  }
}
