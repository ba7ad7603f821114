/**
 * What was read out of a file. `pages` is how many it has; a form feed stands between the texts of two of them. `cut`: only
 * its beginning was read. `empty`: there are no words in it. `locked`: it wants a password. `too-much`: it took more time or
 * memory than it may.
 */
export type Found = {
  state: "read" | "cut" | "empty" | "locked" | "broken" | "too-much";
  pages: number | null;
  text: string;
  /** Two letters, where the file says it. */
  language: string;
};
/** With a picture of the first page (PNG), where there is one. */
export type ReadFile = Found & { picture: Buffer | null };

export const nothing = (state: Found["state"]): Found => ({ state, pages: null, text: "", language: "" });

/** Signs of text that are kept; what a file has beyond them is cut. */
export const MOST_SIGNS = 2_000_000;

/** Gathers text until there is enough of it. */
export class Gathered {
  #parts: string[] = [];
  #size = 0;
  full = false;
  add(text: string): void {
    if (this.full) return;
    const room = MOST_SIGNS - this.#size;
    this.#parts.push(text.length > room ? text.slice(0, room) : text);
    this.#size += text.length;
    this.full = this.#size >= MOST_SIGNS;
  }
  /** As the database keeps it: no broken signs, no controls but those that part lines and pages. */
  text = (): string =>
    this.#parts
      .join("")
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      // oxlint-disable-next-line no-control-regex -- these are what is taken out
      .replace(/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g, "")
      .replace(/[^\S\n\f]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .replace(/\n{3,}/g, "\n\n");
  found(pages: number | null, language: string, cut: boolean): Found {
    const text = this.text();
    const state = !/[\p{L}\p{N}]/u.test(text) ? "empty" : cut || this.full ? "cut" : "read";
    return { state, pages, text: state === "empty" ? "" : text, language: /^[a-z]{2}\b/i.exec(language)?.[0].toLowerCase() ?? "" };
  }
}
