import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two words: when much happens, much travels together. */
const BETWEEN = 8;

/** What changed, by name; null means: anything. */
export type Things = string[] | null;

export type Hearing = {
  /** `news` is what else the others had to say, each as it was handed in, in its order. */
  onTold: (things: Things, news: unknown[]) => void;
  /** What the others said may not have been heard. */
  onLost: () => void;
};

/** Gathers what is told within two milliseconds, and while a word is on its way, and sends it together: one word at a time, in order. */
export class Gathering {
  readonly #send: (things: Things, news: unknown[]) => Promise<void>;
  #waiting: Set<string> | null | undefined;
  #news: unknown[] = [];
  #telling = false;

  constructor(send: (things: Things, news: unknown[]) => Promise<void>) {
    this.#send = send;
  }

  add(things: Things, news: unknown[]): void {
    if (this.#waiting === undefined) setTimeout(() => void this.#flush(), 2);
    this.#news.push(...news);
    if (things === null || this.#waiting === null) this.#waiting = null;
    else this.#waiting = new Set([...(this.#waiting ?? []), ...things]);
  }

  async #flush(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    while (this.#waiting !== undefined) {
      const [things, news] = this.#taken();
      // A word that is not heard costs a listener nothing but its own broken line, which it knows of.
      await this.#send(things, news).catch(() => {});
      await pause(BETWEEN);
    }
    this.#telling = false;
  }

  #taken(): [Things, unknown[]] {
    const things = this.#waiting === null ? null : [...(this.#waiting ?? [])];
    const news = this.#news;
    this.#waiting = undefined;
    this.#news = [];
    return [things, news];
  }
}
