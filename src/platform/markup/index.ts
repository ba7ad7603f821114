import type { Token } from "markdown-it";
import { type Env, type Parser, parserFor } from "./markdown.ts";
import { loneLinksIn } from "./lone-links.ts";
import { filesIn, linksOutIn } from "./outward.ts";
import { namesIn } from "./mentions.ts";
import { apartFromQuotes } from "./quotes.ts";
import { picturesIn, type Shown } from "./pictures.ts";
import { safe } from "./safe.ts";
import { tame } from "./words.ts";

export { renderDocument } from "./render-document.ts";
export { tame } from "./words.ts";
export { excerptOf, plainOf } from "./excerpt.ts";
export { withoutSights } from "./sights.ts";
export { escapeInline, escapeLabel, escapeMarkdown } from "./plain-text.ts";
export type { Shown } from "./pictures.ts";

/** HTML may be so many times as long as the text it comes from; beyond, signs were piled up to make it long. */
const MOST_TIMES = 6;
const FIXED = 20_000;

/** A text that has been read, and what it asks for before it can be rendered. */
export type ReadText = {
  /** Whom it calls (`@mira`), in lower case, each once. */
  names: string[];
  /** Names that stand in its quotes alone: who said that has called them, or not. */
  quotedNames: string[];
  /** The addresses that it wants to show pictures from, each once. */
  pictures: string[];
  /** The addresses of stored files that it leads to, each once. */
  files: string[];
  /** Addresses that stand alone in a paragraph. */
  loneLinks: string[];
  /** How many links in it lead out of the house. */
  linksOut: number;
  /** The addresses of those among them that stand in quotes, as often as they do. */
  quotedLinks: string[];
  /** The HTML, with a link for each name that has an address, and the pictures that are known by theirs. */
  html: (known?: { links?: Map<string, string>; pictures?: Map<string, Shown> }) => string;
};

/**
 * Markdown as a person wrote it. Raw HTML in it stays text. `id` is that of what is written (a post, a message): it
 * keeps the footnotes of several texts on one page apart.
 */
export function readText(text: string, id?: string): ReadText {
  const words = tame(text);
  // The end of a UUIDv7 is what tells it from its neighbours.
  const env: Env = id === undefined ? {} : { docId: id.slice(-12) };
  const parser = parserFor(words);
  const tokens = parser.parse(words, env);
  const { own, quoted } = apartFromQuotes(tokens);
  const names = namesIn(own);
  return {
    names,
    quotedNames: namesIn(quoted).filter((name) => !names.includes(name)),
    pictures: picturesIn(tokens),
    files: filesIn(tokens),
    loneLinks: loneLinksIn(tokens),
    linksOut: linksOutIn(tokens).length,
    quotedLinks: linksOutIn(quoted),
    html: (known) => rendered(parser, words, tokens, Object.assign(env, known)),
  };
}

function rendered(parser: Parser, words: string, tokens: Token[], env: Env): string {
  const html = parser.renderer.render(tokens, parser.options, env);
  return safe(html.length <= words.length * MOST_TIMES + FIXED ? html : plainHtml(words));
}

/**
 * Markdown to the HTML that is stored beside it: rendered once, at the moment of writing, for texts that call nobody.
 * Links lead out without passing on where they come from.
 */
export const htmlOf = (text: string, id?: string): string => readText(text, id).html();

/** Words as they are, as one paragraph. */
export const plainHtml = (words: string): string => `<p>${parserFor("").utils.escapeHtml(words).replaceAll("\n", "<br>")}</p>\n`;
