/** Remembers a number of recent names. */
export class RecentNames {
  #names = new Set<string>();
  /** A set keeps its order. Restarting the iterator would skip over every deleted entry. */
  #oldest = this.#names.values();
  #most: number;
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the name is new; it is remembered from now on. */
  isNew(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    if (this.#names.size > this.#most) this.#names.delete(this.#oldest.next().value!);
    return true;
  }
}
