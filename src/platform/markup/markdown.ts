import MarkdownIt from "markdown-it";
import container from "markdown-it-container";
import { full as emoji } from "markdown-it-emoji";
import footnotes from "markdown-it-footnote";
import { fenceWithItsLanguage, lowerHeadings, scrollingTables } from "./blocks.ts";
import { mentions } from "./mentions.ts";
import { pictures, type Shown } from "./pictures.ts";
import { inlineSpoilers, settleSpoilers, SPOILER } from "./spoilers.ts";
import { taskLists } from "./task-lists.ts";
import { wholeEmoji } from "./whole-emoji.ts";
import { wwwLinks } from "./www-links.ts";

/**
 * Input of the renderer for one text: `docId` keeps its footnotes apart from others', `links` are the
 * addresses of names.
 */
export type Env = { docId?: string; links?: Map<string, string>; pictures?: Map<string, Shown> };

/**
 * CommonMark with tables, strike-through, autolinks, footnotes, tasks, spoilers and emoji by name; no raw
 * HTML.
 */
const createParser = (withFootnotes: boolean) => {
  const parser = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false, maxNesting: 40 });
  if (withFootnotes) parser.use(footnotes);
  parser
    .use(emoji, { shortcuts: {} })
    .use(wholeEmoji)
    .use(container, "spoiler", SPOILER)
    .use(inlineSpoilers)
    .use(mentions)
    .use(pictures)
    .use(wwwLinks)
    .use(settleSpoilers)
    .use(taskLists)
    .use(lowerHeadings)
    .use(scrollingTables)
    .use(fenceWithItsLanguage);
  // A relative address would resolve against whichever page shows the text.
  parser.validateLink = (address) => /^(https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(address.trim());
  return parser;
};

const markdown = createParser(true);

/** Finds web addresses in a text as the renderer does. */
export const { linkify } = markdown;

const withoutFootnotes = createParser(false);
export type Parser = typeof markdown;

/** Footnote marks that one text may have. */
const MOST_FOOTNOTE_MARKS = 2_000;

/** The parser for a text. Footnotes take quadratic time: texts with thousands are parsed without them. */
export const parserFor = (text: string): Parser =>
  text.split("[^").length + text.split("^[").length - 2 > MOST_FOOTNOTE_MARKS ? withoutFootnotes : markdown;

// ARIA roles tell screen readers what footnote marks are.
const { rules } = markdown.renderer;
rules["footnote_block_open"] = () => '<section class="footnotes" role="doc-endnotes"><ol>\n';
rules["footnote_block_close"] = () => "</ol></section>\n";
rules["footnote_anchor_name"] = (tokens, at, _options, env) =>
  `${(env as Env).docId ? `-${(env as Env).docId}` : ""}-${(tokens[at]!.meta as { id: number }).id + 1}`;
rules["footnote_open"] = (tokens, at, options, env, self) =>
  `<li id="fn${rules["footnote_anchor_name"]!(tokens, at, options, env, self)}">`;
rules["footnote_ref"] = (tokens, at, options, env, self) => {
  const name = rules["footnote_anchor_name"]!(tokens, at, options, env, self);
  const again = (tokens[at]!.meta as { subId: number }).subId;
  const number = (tokens[at]!.meta as { id: number }).id + 1;
  return `<sup><a role="doc-noteref" href="#fn${name}" id="fnref${name}${again > 0 ? `-${again}` : ""}">${number}</a></sup>`;
};
rules["footnote_anchor"] = (tokens, at, options, env, self) => {
  const again = (tokens[at]!.meta as { subId: number }).subId;
  const name = rules["footnote_anchor_name"]!(tokens, at, options, env, self);
  return ` <a role="doc-backlink" href="#fnref${name}${again > 0 ? `-${again}` : ""}">↩︎</a>`;
};
