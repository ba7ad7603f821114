type Bounds = { from: number; to: number };
type Entry<T> = Bounds & { it: T };

/**
 * Things by the bounds within which a number has to be. A class, because it remembers: those with a lower bound in the order of that, the
 * others in the order of their upper one, so that what a number has not come to, or has gone past, is not looked at.
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

  /** Those within whose bounds this lies, or on them. */
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

/** In a list in which whatever comes after one of them is one as well. */
function firstWhere<E>(list: readonly E[], is: (entry: E) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
