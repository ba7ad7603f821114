/**
 * Text of a file. `pages` is the number of pages, whose texts are separated by form feeds. `cut`: only the
 * beginning was read. `empty`: the file has no text. `locked`: it needs a password. `too-much`: it exceeded
 * its time or memory.
 */
export type ExtractedText = {
  state: "read" | "cut" | "empty" | "locked" | "broken" | "too-much";
  pages: number | null;
  text: string;
  /** Two-letter code, when the file states it. */
  language: string;
};
/** Text of a file with a picture of its first page (PNG), if there is one. */
export type ExtractedFile = ExtractedText & { picture: Buffer | null };

export const emptyExtraction = (state: ExtractedText["state"]): ExtractedText => ({
  state,
  pages: null,
  text: "",
  language: "",
});

/** Maximum characters of text; the rest is cut. */
export const MAX_CHARACTERS = 2_000_000;

/** Collects text up to the maximum. */
export class TextCollector {
  #parts: string[] = [];
  #size = 0;
  full = false;
  add(text: string): void {
    if (this.full) return;
    const room = MAX_CHARACTERS - this.#size;
    this.#parts.push(text.length > room ? text.slice(0, room) : text);
    this.#size += text.length;
    this.full = this.#size >= MAX_CHARACTERS;
  }
  /**
   * Returns the text as the database can store it: without broken surrogates, and without control characters
   * except line and page breaks.
   */
  text = (): string =>
    this.#parts
      .join("")
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      // oxlint-disable-next-line no-control-regex -- the pattern removes control characters
      .replace(/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g, "")
      .replace(/[^\S\n\f]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .replace(/\n{3,}/g, "\n\n");
  found(pages: number | null, language: string, cut: boolean): ExtractedText {
    const text = this.text();
    const state = !/[\p{L}\p{N}]/u.test(text) ? "empty" : cut || this.full ? "cut" : "read";
    return {
      state,
      pages,
      text: state === "empty" ? "" : text,
      language: /^[a-z]{2}\b/i.exec(language)?.[0].toLowerCase() ?? "",
    };
  }
}
