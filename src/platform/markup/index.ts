import { type Env, markdown } from "./markdown.ts";
import { safe } from "./safe.ts";
import { tame } from "./words.ts";

export { excerptOf } from "./excerpt.ts";

/** HTML may be so many times as long as the text it comes from; beyond, signs were piled up to make it long. */
const MOST_TIMES = 6;
const FIXED = 20_000;

/**
 * Markdown as a person wrote it, to the HTML that is stored beside it: rendered once, at the moment of writing.
 * Raw HTML in the text stays text. Links lead out without passing on where they come from. `id` is that of what is
 * written (a post, a message): it keeps the footnotes of several texts on one page apart.
 */
export function htmlOf(text: string, id?: string): string {
  const words = tame(text);
  // The end of a UUIDv7 is what tells it from its neighbours.
  const rendered = markdown.render(words, { ...(id && { docId: id.slice(-12) }) } satisfies Env);
  return safe(rendered.length <= words.length * MOST_TIMES + FIXED ? rendered : plain(words));
}

const plain = (words: string) => `<p>${markdown.utils.escapeHtml(words).replaceAll("\n", "<br>")}</p>\n`;
