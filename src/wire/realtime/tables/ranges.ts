type Bounds = { from: number; to: number };
type Entry<T> = Bounds & { it: T };

/**
 * Index of items by numeric bounds. A class, because it keeps two orders: items with a lower bound sorted by
 * it, the others by their upper bound, so that bounds not yet reached or already passed are not visited.
 */
export class Ranges<T> {
  readonly #from: Entry<T>[] = [];
  readonly #to: Entry<T>[] = [];

  get isEmpty(): boolean {
    return this.#from.length === 0 && this.#to.length === 0;
  }

  add(it: T, bounds: Bounds): void {
    const { list, by } = this.#listFor(bounds);
    list.splice(
      firstWhere(list, (entry) => entry[by] > bounds[by]),
      0,
      { ...bounds, it },
    );
  }

  remove(it: T, bounds: Bounds): void {
    const { list, by } = this.#listFor(bounds);
    let at = firstWhere(list, (entry) => entry[by] >= bounds[by]);
    while (at < list.length && list[at]!.it !== it) at++;
    list.splice(at, 1);
  }

  /** Items whose bounds include this number. */
  *around(number: number): Generator<T> {
    for (const { from, to, it } of this.#from) {
      if (!(from <= number)) break;
      if (number <= to) yield it;
    }
    let at = firstWhere(this.#to, ({ to }) => to >= number);
    while (at < this.#to.length) yield this.#to[at++]!.it;
  }

  #listFor({ from }: Bounds): { list: Entry<T>[]; by: keyof Bounds } {
    return from === -Infinity ? { list: this.#to, by: "to" } : { list: this.#from, by: "from" };
  }
}

/** Binary search in a list where all items after the first match match as well. */
function firstWhere<E>(list: readonly E[], is: (entry: E) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
