import type { Token } from "markdown-it";
import type { RenderEnv } from "./render-env.ts";
import { type MarkdownParser, chooseParser } from "./markdown.ts";
import { findStandaloneLinks } from "./standalone-links.ts";
import { findFileLinks, findOutboundLinks } from "./outbound-links.ts";
import { findMentionedNames } from "./mention-syntax.ts";
import { splitQuotes } from "./split-quotes.ts";
import { findPictureUrls, type KnownPicture } from "./picture-syntax.ts";
import { sanitizeHtml } from "./sanitize-html.ts";
import { removeDisruptiveMarks } from "./sanitize-text.ts";

/**
 * Maximum length of the HTML relative to its text. A longer result means that markup was nested to inflate
 * it.
 */
const MAX_HTML_FACTOR = 6;
const MAX_HTML_BASE = 20_000;

/** A parsed text, and the data to look up before it can be rendered. */
export type ParsedText = {
  /** Mentioned names (`@mira`), in lower case, each once. */
  names: string[];
  /** Names mentioned only in quotations. They may have been mentioned already in the quoted post. */
  quotedNames: string[];
  /** Addresses of its pictures, each once. */
  pictures: string[];
  /** Addresses of stored files that it links to, each once. */
  files: string[];
  /** Addresses that fill a paragraph of their own. */
  loneLinks: string[];
  /** Number of links to other sites. */
  linksOut: number;
  /** Links inside quotations, with repetitions. */
  quotedLinks: string[];
  /**
   * Renders the HTML, with a link for each name in `links` and with the pictures in `pictures` (by address).
   */
  html: (known?: { links?: Map<string, string>; pictures?: Map<string, KnownPicture> }) => string;
};

/**
 * Parses Markdown as a person wrote it; raw HTML stays text. `id` of the post or message distinguishes the
 * footnotes of several texts on one page.
 */
export function parseText(text: string, id?: string): ParsedText {
  const words = removeDisruptiveMarks(text);
  // The end of a UUIDv7 is random, so it differs even between ids of the same moment.
  const env: RenderEnv = id === undefined ? {} : { docId: id.slice(-12) };
  const parser = chooseParser(words);
  const tokens = parser.parse(words, env);
  const { own, quoted } = splitQuotes(tokens);
  const names = findMentionedNames(own);
  return {
    names,
    quotedNames: findMentionedNames(quoted).filter((name) => !names.includes(name)),
    pictures: findPictureUrls(tokens),
    files: findFileLinks(tokens),
    loneLinks: findStandaloneLinks(tokens),
    linksOut: findOutboundLinks(tokens).length,
    quotedLinks: findOutboundLinks(quoted),
    html: (known) => renderTokens(parser, words, tokens, Object.assign(env, known)),
  };
}

/** Addresses of the links and pictures in a Markdown text that lead to other sites. */
export function findLinks(text: string): string[] {
  const words = removeDisruptiveMarks(text);
  return findOutboundLinks(chooseParser(words).parse(words, {}));
}

function renderTokens(parser: MarkdownParser, words: string, tokens: Token[], env: RenderEnv): string {
  const html = parser.renderer.render(tokens, parser.options, env);
  return sanitizeHtml(
    html.length <= words.length * MAX_HTML_FACTOR + MAX_HTML_BASE ? html : textToHtml(words),
  );
}

/**
 * Renders Markdown without mentions to HTML, which is stored beside the text when it is written. Outbound
 * links send no referrer.
 */
export const renderMarkdown = (text: string, id?: string): string => parseText(text, id).html();

/** Escapes a text and wraps it in one paragraph. */
export const textToHtml = (words: string): string =>
  `<p>${chooseParser("").utils.escapeHtml(words).replaceAll("\n", "<br>")}</p>\n`;
