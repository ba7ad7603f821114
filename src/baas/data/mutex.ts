/** Runs work one at a time in this process. A class, because it remembers the last in line. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
