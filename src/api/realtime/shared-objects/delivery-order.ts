import type { Author } from "./shared-object-events.ts";

type DeliveredVersions = { cleared: number; keys: Map<string, { version: number; by: Author }> };

/**
 * Last delivered version per object and key, for objects with listeners. Messages of two processes may
 * arrive in the wrong order; an older version is not delivered after a newer one, so that all clients end
 * with the stored state. A class, because it keeps the versions.
 */
export class DeliveryOrder {
  readonly #objects = new Map<string, DeliveredVersions>();

  /** Records a version of a key; false if a newer one has already been delivered. */
  set(name: string, key: string, version: number, by: Author): boolean {
    const known = this.#of(name);
    if (version <= Math.max(known.cleared, known.keys.get(key)?.version ?? 0)) return false;
    known.keys.set(key, { version, by });
    return true;
  }

  /**
   * Records that an object was cleared; returns null if a later clearing has already been delivered.
   * Otherwise returns the keys that were set after this clearing but delivered before it: they must be
   * delivered again.
   */
  clear(name: string, version: number): Map<string, { version: number; by: Author }> | null {
    const known = this.#of(name);
    if (version <= known.cleared) return null;
    const after = new Map([...known.keys].filter(([, it]) => it.version > version));
    this.#objects.set(name, { cleared: version, keys: after });
    return after;
  }

  /** Forgets an object that has no listeners any more. */
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
