import type { Author } from "./shared-object-events.ts";

type DeliveredVersions = { cleared: number; keys: Map<string, { version: number; by: Author }> };

/**
 * Last delivered version per object and key. Messages of two processes can cross: an older version is not
 * delivered after a newer one, so that all clients end with the stored state. A class, because it keeps
 * state, for objects with listeners.
 */
export class DeliveryOrder {
  readonly #objects = new Map<string, DeliveredVersions>();

  /** Whether this is the latest version of its key. */
  set(name: string, key: string, version: number, by: Author): boolean {
    const known = this.#of(name);
    if (version <= Math.max(known.cleared, known.keys.get(key)?.version ?? 0)) return false;
    known.keys.set(key, { version, by });
    return true;
  }

  /**
   * Keys set after this clearing that were already delivered: they have to be delivered again. Null for a
   * clearing older than another.
   */
  clear(name: string, version: number): Map<string, { version: number; by: Author }> | null {
    const known = this.#of(name);
    if (version <= known.cleared) return null;
    const after = new Map([...known.keys].filter(([, it]) => it.version > version));
    this.#objects.set(name, { cleared: version, keys: after });
    return after;
  }

  /** Drops the state when no one listens any more. */
  forget(name: string): void {
    this.#objects.delete(name);
  }

  #of(name: string): DeliveredVersions {
    const known = this.#objects.get(name) ?? {
      cleared: 0,
      keys: new Map<string, { version: number; by: Author }>(),
    };
    this.#objects.set(name, known);
    return known;
  }
}
