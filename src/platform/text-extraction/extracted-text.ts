/**
 * Text of a file. `pages` is their number; a form feed separates their texts. `cut`: only the beginning was
 * read. `empty`: no text. `locked`: needs a password. `too-much`: exceeded its time or memory.
 */
export type ExtractedText = {
  state: "read" | "cut" | "empty" | "locked" | "broken" | "too-much";
  pages: number | null;
  text: string;
  /** Two-letter code, when the file states it. */
  language: string;
};
/** With a picture of the first page (PNG), if there is one. */
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
   * Text as the database stores it: without broken surrogates, and without controls except line and page
   * breaks.
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
