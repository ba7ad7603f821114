const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** The plain words of a stored HTML, cut after `most` characters at a word: for excerpts and descriptions. */
export function excerptOf(html: string, most: number): string {
  // Stored HTML is our own: every "<" in it begins a tag, and what comes out is text, never markup.
  const plain = html
    .slice(0, most * 20 + 2_000)
    // What is hidden in the text is hidden here; the number of a note and the notes are no part of the sentence.
    .replace(/<details>.*?(?:<\/details>|$)/gs, "… ")
    .replace(/<(sup|section)[ >].*?(?:<\/\1>|$)/gs, "")
    .replace(/<\/(?:p|li|h\d|td|th|blockquote|pre|div)>|<br ?\/?>/g, " ")
    .replace(/<[^>]*(?:>|$)/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most - 30)).trimEnd()}…`;
}
