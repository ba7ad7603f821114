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

/** Maximum length of the HTML relative to its text; beyond that, markup was piled up to inflate it. */
const MOST_TIMES = 6;
const FIXED = 20_000;

/** A parsed text, and what it needs before it can be rendered. */
export type ReadText = {
  /** Mentioned names (`@mira`), in lower case, each once. */
  names: string[];
  /** Names mentioned only in quotations; the quoted author may have mentioned them already. */
  quotedNames: string[];
  /** Addresses of its pictures, each once. */
  pictures: string[];
  /** Addresses of stored files that it links to, each once. */
  files: string[];
  /** Addresses that are alone in a paragraph. */
  loneLinks: string[];
  /** Number of links to other sites. */
  linksOut: number;
  /** Those of them in quotations, with repetitions. */
  quotedLinks: string[];
  /**
   * Renders the HTML, with a link for each name that has an address, and the pictures that are known by
   * address.
   */
  html: (known?: { links?: Map<string, string>; pictures?: Map<string, Shown> }) => string;
};

/**
 * Parses Markdown as a person wrote it; raw HTML stays text. `id` of the post or message keeps the footnotes
 * of several texts on one page apart.
 */
export function readText(text: string, id?: string): ReadText {
  const words = tame(text);
  // The end of a UUIDv7 distinguishes it from ids of the same moment.
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
 * Renders Markdown to the HTML stored beside it, once, on writing; for texts without mentions. Outbound links
 * send no referrer.
 */
export const htmlOf = (text: string, id?: string): string => readText(text, id).html();

/** Escaped text as one paragraph. */
export const plainHtml = (words: string): string => `<p>${parserFor("").utils.escapeHtml(words).replaceAll("\n", "<br>")}</p>\n`;
