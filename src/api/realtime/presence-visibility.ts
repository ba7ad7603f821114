import type { Caller } from "./realtime-caller.ts";

/** Maximum people shown to one listener of a channel, as many as a page can name. */
const MAX_SHOWN = 200;

/**
 * Which connections each listener of a channel has been shown. A departure goes to exactly those: by then the
 * two may no longer see each other, and others have nothing to take back.
 */
export class PresenceVisibility {
  readonly #shown = new WeakMap<Caller, Map<string, Set<string>>>();

  /** Starts over; returns as many of them as are shown. */
  list(listener: Caller, channel: string, present: Caller[]): Caller[] {
    const shown = present.slice(0, MAX_SHOWN);
    const channels = this.#shown.get(listener) ?? new Map<string, Set<string>>();
    channels.set(channel, new Set(shown.map(({ connectionId }) => connectionId)));
    this.#shown.set(listener, channels);
    return shown;
  }

  /** False when the maximum is reached and no more are shown. */
  show(listener: Caller, channel: string, { connectionId }: Caller): boolean {
    const shown = this.#shown.get(listener)?.get(channel);
    if (!shown || shown.size >= MAX_SHOWN) return false;
    shown.add(connectionId);
    return true;
  }

  knows = (listener: Caller, channel: string, { connectionId }: Caller): boolean =>
    this.#shown.get(listener)?.get(channel)?.has(connectionId) ?? false;

  /** True if the connection had been shown. */
  part(listener: Caller, channel: string, { connectionId }: Caller): boolean {
    return this.#shown.get(listener)?.get(channel)?.delete(connectionId) ?? false;
  }
}
