import { createContext } from "react";

/** Letters of pieces kept at the most, with what they are made of; the one that was used longest ago goes first. */
const MOST_LETTERS = 6_000_000;

/** What a page under way has of pieces, and what it makes that others may use. */
export type PagePieces = {
  /** The inside of an element, as it was made before of all this. */
  find: (madeOf: string) => string | undefined;
  /** The article with this id is being made of all that: others may have it. */
  making: (id: string, madeOf: string) => void;
};

/** Only where a page is rendered to text: a browser has no pieces, and makes the elements that it finds there already. */
export const PiecesContext = createContext<PagePieces | null>(null);

/**
 * The insides of articles as text, each under everything that it was made of, so that none is ever out of date. Rendering is the most
 * of what a page costs, and a post is the same post for most of its readers.
 */
export class Pieces {
  #kept = new Map<string, string>();
  #letters = 0;
  #most: number;

  constructor(most = MOST_LETTERS) {
    this.#most = most;
  }

  /** For one page; `keep` wants the text that it became. */
  forPage(): PagePieces & { keep: (page: string) => void } {
    const made = new Map<string, string>();
    return {
      find: (madeOf) => this.#find(madeOf),
      making: (id, madeOf) => void made.set(id, madeOf),
      keep: (page) => {
        for (const [id, madeOf] of made) this.#keep(madeOf, insideOf(page, id));
      },
    };
  }

  #find(madeOf: string): string | undefined {
    const piece = this.#kept.get(madeOf);
    if (piece === undefined) return undefined;
    // Set anew: the map's order is the order of use.
    this.#kept.delete(madeOf);
    this.#kept.set(madeOf, piece);
    return piece;
  }

  #keep(madeOf: string, piece: string | null) {
    if (piece === null || this.#kept.has(madeOf)) return;
    this.#kept.set(madeOf, piece);
    this.#letters += madeOf.length + piece.length;
    for (const [oldest, text] of this.#kept) {
      if (this.#letters <= this.#most) return;
      this.#kept.delete(oldest);
      this.#letters -= oldest.length + text.length;
    }
  }
}

/** Ids that React has made follow from the place in the tree: what has one is not the same elsewhere. */
const MADE_ID = /="_[rR]_/;

function insideOf(page: string, id: string): string | null {
  const start = page.indexOf(`<article id="${id}"`);
  const inside = page.indexOf(">", start) + 1;
  const end = page.indexOf("</article>", inside);
  if (start === -1 || end === -1) return null;
  const piece = page.slice(inside, end);
  // A slice would hold on to the whole page: this is a text of its own.
  return MADE_ID.test(piece) || piece.includes("<article") ? null : Buffer.from(piece).toString();
}
