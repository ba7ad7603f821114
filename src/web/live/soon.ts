/** Runs something a while after it was first wanted, once, however often it is wanted meanwhile. Hidden pages wait until they are seen. */
export class Soon {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  #work: () => unknown;
  constructor(work: () => unknown) {
    this.#work = work;
  }

  /** In so many milliseconds at the latest. */
  within(wait: number): void {
    const due = performance.now() + wait;
    if (this.#timer !== undefined && this.#due <= due) return;
    this.stop();
    this.#due = due;
    this.#timer = setTimeout(() => this.#run(), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    document.removeEventListener("visibilitychange", this.#seen);
  }

  #seen = () => document.visibilityState === "visible" && this.#run();

  #run() {
    this.stop();
    if (document.visibilityState === "visible") void this.#work();
    else document.addEventListener("visibilitychange", this.#seen);
  }
}
