const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Cuts the plain text of stored HTML at a word after `most` characters, for excerpts and descriptions. */
export const createExcerpt = (html: string, most: number): string =>
  truncateAtWord(extractText(html, most, " ").replace(/\s+/g, " ").trim(), most);

/** Like `createExcerpt`, but separates paragraphs by empty lines, for mail. */
export function createMailExcerpt(html: string, most: number): string {
  const words = extractText(html.replace(/\n/g, " ").replace(/<br ?\/?>/g, "\n"), most, "\n\n");
  const lines = words.replace(/[^\S\n]+/g, " ").replace(/ ?\n ?/g, "\n");
  return truncateAtWord(lines.replace(/\n{3,}/g, "\n\n").trim(), most);
}

// Every "<" begins a tag, because we render the stored HTML ourselves. The result is text, never markup.
const extractText = (html: string, most: number, between: string) =>
  html
    .slice(0, most * 20 + 2_000)
    // Spoilers stay hidden; footnotes and their numbers are left out.
    .replace(/<details>.*?(?:<\/details>|$)/gs, "… ")
    .replace(/<(sup|section)[ >].*?(?:<\/\1>|$)/gs, "")
    .replace(/<\/(?:p|li|h\d|td|th|blockquote|pre|div)>|<br ?\/?>/g, between)
    .replace(/<[^>]*(?:>|$)/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

function truncateAtWord(plain: string, most: number): string {
  if (plain.length <= most) return plain;
  const begun = plain.slice(0, most);
  const words = begun.slice(0, Math.max(begun.search(/\s\S*$/), most - 30)).trimEnd();
  // Removes half of a surrogate pair at the cut.
  return `${words.replace(/[\ud800-\udbff]$/, "")}…`;
}
