import type { By } from "./deeds.ts";

type Known = { cleared: number; keys: Map<string, { version: number; by: By }> };

/**
 * What was told last of each object and key. Words of two processes can cross: what is older than what was told already is not told after
 * it, so that everybody ends with what is kept. A class, because it remembers: objects that somebody listens to.
 */
export class Order {
  readonly #objects = new Map<string, Known>();

  /** Whether this is the latest of its key. */
  set(name: string, key: string, version: number, by: By): boolean {
    const known = this.#of(name);
    if (version <= Math.max(known.cleared, known.keys.get(key)?.version ?? 0)) return false;
    known.keys.set(key, { version, by });
    return true;
  }

  /** What was told already, and was set after it was cleared: that has to be told again. Null for what is older than another clearing. */
  clear(name: string, version: number): Map<string, { version: number; by: By }> | null {
    const known = this.#of(name);
    if (version <= known.cleared) return null;
    const after = new Map([...known.keys].filter(([, it]) => it.version > version));
    this.#objects.set(name, { cleared: version, keys: after });
    return after;
  }

  /** Nobody listens any more. */
  forget(name: string): void {
    this.#objects.delete(name);
  }

  #of(name: string): Known {
    const known = this.#objects.get(name) ?? { cleared: 0, keys: new Map<string, { version: number; by: By }>() };
    this.#objects.set(name, known);
    return known;
  }
}
