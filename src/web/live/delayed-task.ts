/**
 * Runs a task once, some time after the first request. Further requests until then cause no additional run.
 * In a hidden page the task waits until the page is visible.
 */
export class DelayedTask {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  #work: () => unknown;
  constructor(work: () => unknown) {
    this.#work = work;
  }

  /** Requests a run within this many milliseconds. */
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
