import MarkdownIt from "markdown-it";
import container from "markdown-it-container";
import { full as emoji } from "markdown-it-emoji";
import footnotes from "markdown-it-footnote";
import { isObject } from "#platform/objects";
import { labelCodeLanguage, shiftHeadings, makeTablesScrollable } from "./block-rules.ts";
import { addMentionSyntax } from "./mention-syntax.ts";
import { addPictureSyntax } from "./picture-syntax.ts";
import { toRenderEnv } from "./render-env.ts";
import { addInlineSpoilers, normalizeSpoilers, SPOILER_CONTAINER } from "./spoilers.ts";
import { addTaskLists } from "./task-lists.ts";
import { addWholeWordEmoji } from "./whole-word-emoji.ts";
import { addWwwLinks } from "./www-links.ts";

/**
 * CommonMark with tables, strike-through, autolinks, footnotes, tasks, spoilers and emoji by name; no raw
 * HTML.
 */
const createParser = (withFootnotes: boolean) => {
  const parser = new MarkdownIt({
    html: false,
    linkify: true,
    breaks: true,
    typographer: false,
    maxNesting: 40,
  });
  if (withFootnotes) parser.use(footnotes);
  parser
    .use(emoji, { shortcuts: {} })
    .use(addWholeWordEmoji)
    .use(container, "spoiler", SPOILER_CONTAINER)
    .use(addInlineSpoilers)
    .use(addMentionSyntax)
    .use(addPictureSyntax)
    .use(addWwwLinks)
    .use(normalizeSpoilers)
    .use(addTaskLists)
    .use(shiftHeadings)
    .use(makeTablesScrollable)
    .use(labelCodeLanguage);
  // Relative addresses are rejected: they would resolve against the address of the page that shows the text.
  parser.validateLink = (address) => /^(https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(address.trim());
  return parser;
};

const markdown = createParser(true);

/** Finds web addresses in a text as the renderer does. */
export const { linkify } = markdown;

const parserWithoutFootnotes = createParser(false);
export type MarkdownParser = typeof markdown;

/** Maximum number of footnote marks in one text. */
const MAX_FOOTNOTE_MARKS = 2_000;

/**
 * Chooses the parser for a text. Footnotes take quadratic time, so texts with thousands of marks are parsed
 * without them.
 */
export const chooseParser = (text: string): MarkdownParser =>
  text.split("[^").length + text.split("^[").length - 2 > MAX_FOOTNOTE_MARKS
    ? parserWithoutFootnotes
    : markdown;

/** Returns the number of a footnote, or of one of its marks, both from 0. */
const footnoteNumber = ({ meta }: { meta: unknown }, field: "id" | "subId"): number =>
  isObject(meta) ? Number(meta[field]) : 0;

// ARIA roles identify footnote marks to screen readers.
const { rules } = markdown.renderer;
rules["footnote_block_open"] = () => '<section class="footnotes" role="doc-endnotes"><ol>\n';
rules["footnote_block_close"] = () => "</ol></section>\n";
rules["footnote_anchor_name"] = (tokens, at, _options, env) =>
  `${toRenderEnv(env).docId ? `-${toRenderEnv(env).docId}` : ""}-${footnoteNumber(tokens[at]!, "id") + 1}`;
rules["footnote_open"] = (tokens, at, options, env, self) =>
  `<li id="fn${rules["footnote_anchor_name"]!(tokens, at, options, env, self)}">`;
rules["footnote_ref"] = (tokens, at, options, env, self) => {
  const name = rules["footnote_anchor_name"]!(tokens, at, options, env, self);
  const again = footnoteNumber(tokens[at]!, "subId");
  const number = footnoteNumber(tokens[at]!, "id") + 1;
  return (
    `<sup><a role="doc-noteref" href="#fn${name}" ` +
    `id="fnref${name}${again > 0 ? `-${again}` : ""}">${number}</a></sup>`
  );
};
rules["footnote_anchor"] = (tokens, at, options, env, self) => {
  const again = footnoteNumber(tokens[at]!, "subId");
  const name = rules["footnote_anchor_name"]!(tokens, at, options, env, self);
  return ` <a role="doc-backlink" href="#fnref${name}${again > 0 ? `-${again}` : ""}">↩︎</a>`;
};
