/** Remembers the last so many names, to know what it has met before. */
export class Recent {
  #names = new Set<string>();
  #most: number;
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether this name is met for the first time in a while; from now on it is not. */
  isNew(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    // A set keeps its order: the first is the oldest.
    if (this.#names.size > this.#most) this.#names.delete(this.#names.values().next().value!);
    return true;
  }
}
