import { createContext, type ReactElement } from "react";

/** Letters of pieces kept at the most, with what they are made of; the one that was used longest ago goes first. */
const MOST_LETTERS = 6_000_000;

/** What a page under way has of pieces, and what it makes that others may use. */
export type PagePieces = {
  /** The inside of an element, as it was made before of all this. */
  find: (madeOf: string) => string | undefined;
  /** The article with this id is being made of all that: others may have it. */
  making: (id: string, madeOf: string) => void;
  /** A part that needs nothing of the page around it, as it was made before; else it is made once more beside the page, for others. */
  part: (madeOf: string, make: () => ReactElement) => string | undefined;
};

/** Only where a page is rendered to text: a browser has no pieces, and makes the elements that it finds there already. */
export const PiecesContext = createContext<PagePieces | null>(null);

/**
 * The insides of articles and of lines as text, each under everything that it was made of, so that none is ever out of date. Rendering
 * is the most of what a page costs, and a post is the same post for most of its readers, a way to somewhere the same on most pages.
 */
export class Pieces {
  #kept = new Map<string, string>();
  #letters = 0;
  #most: number;

  constructor(most = MOST_LETTERS) {
    this.#most = most;
  }

  /** For one page; `keep` wants the text that it became, and how a part of it becomes text. */
  forPage(): PagePieces & { keep: (page: string, textOf: (part: ReactElement) => string) => void } {
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
        for (const [id, madeOf] of articles) this.#keep(madeOf, insideOf(page, id));
        for (const [madeOf, make] of parts) this.#keep(madeOf, textOf(make()));
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
    if (piece === null || MADE_ID.test(piece) || this.#kept.has(madeOf)) return;
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
  return piece.includes("<article") ? null : Buffer.from(piece).toString();
}
