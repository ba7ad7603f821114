import { createContext, type ReactElement } from "react";

/** Maximum characters of cached fragments and their keys; the least recently used one is evicted first. */
const MAX_CHARACTERS = 6_000_000;

/** Fragments that a page being rendered can reuse, and those it adds to the cache. */
export type PageFragments = {
  /** The cached inner HTML for this key. */
  find: (madeOf: string) => string | undefined;
  /** Announces that the article with this id is rendered from this key, so that it can be cached. */
  making: (id: string, madeOf: string) => void;
  /**
   * A cached fragment that needs no context of the page; if there is none, it is rendered once more outside
   * the page and cached.
   */
  part: (madeOf: string, make: () => ReactElement) => string | undefined;
};

/**
 * Set only when rendering to a string: the browser has no cache, and hydrates the elements that are there.
 */
export const FragmentCacheContext = createContext<PageFragments | null>(null);

/**
 * Caches inner HTML of articles and list rows, keyed by everything they are rendered from, so that no entry
 * is ever stale. Rendering is most of a page's cost, and a post is the same for most of its readers.
 */
export class FragmentCache {
  #kept = new Map<string, string>();
  #letters = 0;
  #most: number;

  constructor(most = MAX_CHARACTERS) {
    this.#most = most;
  }

  /**
   * Fragments for one page. `keep` takes the rendered page and a function that renders a fragment to a
   * string.
   */
  forPage(): PageFragments & { keep: (page: string, textOf: (part: ReactElement) => string) => void } {
    const articles = new Map<string, string>();
    const parts = new Map<string, () => ReactElement>();
    return {
      find: (madeOf) => this.#find(madeOf),
      making: (id, madeOf) => void articles.set(id, madeOf),
      part: (madeOf, make) => {
        const known = this.#find(madeOf);
        if (known === undefined) parts.set(madeOf, make);
        return known;
      },
      keep: (page, textOf) => {
        for (const [id, madeOf] of articles) this.#keep(madeOf, articleContent(page, id));
        for (const [madeOf, make] of parts) this.#keep(madeOf, textOf(make()));
      },
    };
  }

  #find(madeOf: string): string | undefined {
    const piece = this.#kept.get(madeOf);
    if (piece === undefined) return undefined;
    // Reinserted, since the order of the map is the order of use.
    this.#kept.delete(madeOf);
    this.#kept.set(madeOf, piece);
    return piece;
  }

  #keep(madeOf: string, piece: string | null) {
    if (piece === null || REACT_ID.test(piece) || this.#kept.has(madeOf)) return;
    this.#kept.set(madeOf, piece);
    this.#letters += madeOf.length + piece.length;
    for (const [oldest, text] of this.#kept) {
      if (this.#letters <= this.#most) return;
      this.#kept.delete(oldest);
      this.#letters -= oldest.length + text.length;
    }
  }
}

/** React's generated ids depend on the position in the tree, so a fragment with one cannot be reused. */
const REACT_ID = /="_[rR]_/;

function articleContent(page: string, id: string): string | null {
  const start = page.indexOf(`<article id="${id}"`);
  const inside = page.indexOf(">", start) + 1;
  const end = page.indexOf("</article>", inside);
  if (start === -1 || end === -1) return null;
  const piece = page.slice(inside, end);
  // A slice would keep the whole page in memory, so it is copied.
  return piece.includes("<article") ? null : Buffer.from(piece).toString();
}
