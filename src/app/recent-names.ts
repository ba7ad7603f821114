/** Remembers the most recent names, up to a maximum number. */
export class RecentNames {
  #names = new Set<string>();
  /**
   * A set iterates in the order of insertion. One iterator is reused, because a new iterator would have to
   * skip every deleted entry.
   */
  #oldest = this.#names.values();
  #most: number;
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns whether the name is new, and remembers it. */
  isNew(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    if (this.#names.size > this.#most) this.#names.delete(this.#oldest.next().value!);
    return true;
  }
}
