/** Remembers the last so many names, to know what it has met before. */
export class Recent {
  #names = new Set<string>();
  /** From the oldest on: a set keeps its order. To begin anew each time would go past all that has been deleted since. */
  #oldest = this.#names.values();
  #most: number;
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether this name is met for the first time in a while; from now on it is not. */
  isNew(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    if (this.#names.size > this.#most) this.#names.delete(this.#oldest.next().value!);
    return true;
  }
}
