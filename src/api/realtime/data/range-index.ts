type NumberBounds = { from: number; to: number };
type RangeEntry<T> = NumberBounds & { it: T };

/**
 * Index of items by numeric bounds. Items with a lower bound are sorted by it, the others by their upper
 * bound, so that a search visits only items whose sorted bound includes the number. A class, because it
 * keeps both lists.
 */
export class RangeIndex<T> {
  readonly #from: RangeEntry<T>[] = [];
  readonly #to: RangeEntry<T>[] = [];

  get isEmpty(): boolean {
    return this.#from.length === 0 && this.#to.length === 0;
  }

  add(it: T, bounds: NumberBounds): void {
    const { list, by } = this.#listFor(bounds);
    list.splice(
      findFirstIndex(list, (entry) => entry[by] > bounds[by]),
      0,
      { ...bounds, it },
    );
  }

  remove(it: T, bounds: NumberBounds): void {
    const { list, by } = this.#listFor(bounds);
    let at = findFirstIndex(list, (entry) => entry[by] >= bounds[by]);
    while (at < list.length && list[at]!.it !== it) at++;
    list.splice(at, 1);
  }

  /** Items whose bounds include this number. */
  *around(number: number): Generator<T> {
    for (const { from, to, it } of this.#from) {
      if (!(from <= number)) break;
      if (number <= to) yield it;
    }
    let at = findFirstIndex(this.#to, ({ to }) => to >= number);
    while (at < this.#to.length) yield this.#to[at++]!.it;
  }

  #listFor({ from }: NumberBounds): { list: RangeEntry<T>[]; by: keyof NumberBounds } {
    return from === -Infinity ? { list: this.#to, by: "to" } : { list: this.#from, by: "from" };
  }
}

/**
 * Index of the first entry that satisfies `is`, by binary search; all later entries must satisfy it as well.
 */
function findFirstIndex<E>(list: readonly E[], is: (entry: E) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
