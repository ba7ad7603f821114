import type { MarkdownIt, StateInline, Token } from "markdown-it";

const BAR_CODE = 0x7c;
/** Characters that end a run of plain text: those at which markdown-it stops, and the bar. */
const SPECIAL_CHARACTER = /[\n!#$%&*+\-:<=>@[\\\]^_`{}~|]/g;

/** Adds `||hidden||` within a line. */
export function addInlineSpoilers(md: MarkdownIt) {
  md.inline.ruler.at("text", parsePlainRun);
  md.inline.ruler.after("escape", "spoiler", parseInlineSpoiler);
  md.inline.ruler.after("spoiler", "bar", (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== BAR_CODE) return false;
    if (!silent) state.pending += "|";
    state.pos += 1;
    return true;
  });
}

function parsePlainRun(state: StateInline, silent: boolean): boolean {
  SPECIAL_CHARACTER.lastIndex = state.pos;
  const end = Math.min(SPECIAL_CHARACTER.exec(state.src)?.index ?? state.posMax, state.posMax);
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

/**
 * A word character. Scripts without spaces between words are excluded, because word boundaries are unknown
 * there.
 */
const IN_WORD = /[\p{L}\p{N}_]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const isInWord = (sign: string) => IN_WORD.test(sign) && !UNSPACED.test(sign);

/** Parses an inline spoiler. In `a||b||c` the bars are within words: an expression in code, not a spoiler. */
function parseInlineSpoiler(state: StateInline, silent: boolean): boolean {
  const from = state.pos + 2;
  if (!state.src.startsWith("||", state.pos) || from >= state.posMax) return false;
  if (isInWord(state.src.charAt(state.pos - 1))) return false;
  const to = state.src.indexOf("||", from);
  if (isInWord(state.src.charAt(to + 2))) return false;
  if (to === -1 || to >= state.posMax || !/^\S(.*\S)?$/s.test(state.src.slice(from, to))) return false;
  if (!silent) {
    const max = state.posMax;
    state.push("spoiler_open", "details", 1);
    state.pos = from;
    state.posMax = to;
    state.md.inline.tokenize(state);
    state.posMax = max;
    state.push("spoiler_close", "details", -1);
  }
  state.pos = to + 2;
  return true;
}

/** A block spoiler starts at `:::`, optionally with a title, and ends at the next `:::`. */
export const SPOILER_CONTAINER = {
  validate: () => true,
  render: (tokens: Token[], at: number) => {
    const token = tokens[at]!;
    if (token.hidden) return "";
    return token.nesting === 1 ? openDetails(spoilerTitle(token.info)) : "</details>\n";
  },
};

const spoilerTitle = (info: string) =>
  info
    .trim()
    .replace(/^spoiler(?=\s|$)/i, "")
    .trim();
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const openDetails = (title: string) =>
  `<details><summary>${title.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!) || "Spoiler"}</summary>`;

/** Flattens nested spoilers, and replaces a paragraph around a spoiler by an element that may contain it. */
export function normalizeSpoilers(md: MarkdownIt) {
  md.core.ruler.push("settle-spoilers", (state) => {
    let depth = 0;
    for (const [at, token] of state.tokens.entries()) {
      if (token.type === "container_spoiler_open") token.hidden = depth++ > 0;
      if (token.type === "container_spoiler_close") token.hidden = --depth > 0;
      if (token.type === "inline" && normalizeInline(token.children ?? [], depth))
        unwrapParagraph(state.tokens, at);
    }
  });
  md.renderer.rules["spoiler_open"] = (tokens, at) => (tokens[at]!.hidden ? "" : openDetails(""));
  md.renderer.rules["spoiler_close"] = (tokens, at) => (tokens[at]!.hidden ? "" : "</details>");
}

/** Returns true when a spoiler remains in the line. */
function normalizeInline(children: Token[], outer: number): boolean {
  let depth = outer;
  let any = false;
  for (const child of children) {
    if (child.type === "spoiler_open") child.hidden = depth++ > 0;
    if (child.type === "spoiler_close") child.hidden = --depth > 0;
    any ||= child.type === "spoiler_open" && !child.hidden;
  }
  return any;
}

/** HTML ends a paragraph before `details`, so the paragraph is unwrapped. */
function unwrapParagraph(tokens: Token[], at: number) {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (before?.type !== "paragraph_open" || after?.type !== "paragraph_close") return;
  before.tag = after.tag = "div";
  before.attrSet("class", "line");
}
