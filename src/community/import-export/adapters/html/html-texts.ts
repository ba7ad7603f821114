import { nameToEmoji } from "gemoji";
import type Turndown from "turndown";
import { element } from "./rule-element.ts";

// Parts of HTML that Turndown does not convert: unescaped text, preformatted text, formulas and check boxes.

/**
 * Markdown that Turndown does not escape: entities, strike-through, spoilers, emoji by name, addresses in
 * brackets.
 */
const SIGNS = new RegExp(
  String.raw`&(?=#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)|\|(?=\|)|(?<=\|)\||~(?=~)` +
    String.raw`|(?<=~)~|<(?=[a-z][a-z\d+.-]{1,31}:|[\w.+-]+@)|(?<![\p{L}\p{N}]):(?=([\w+-]+):)`,
  "giu",
);

export function escapeTexts(turndown: Turndown): void {
  const escape = turndown.escape.bind(turndown);
  turndown.escape = (text) =>
    escape(text).replace(SIGNS, (sign, emoji: string | undefined) =>
      emoji === undefined || Object.hasOwn(nameToEmoji, emoji) ? `\\${sign}` : sign,
    );
}

/** Private-use characters that replace check boxes while the surrounding text is escaped. */
const [OPEN, TICKED] = ["\uE010", "\uE011"];
const BOX =
  /<span\b[^>]*class="[^"]*\bchcklst-box\b[^>]*>\s*<\/span>|<input\b[^>]*type=["']?checkbox\b[^>]*>/gi;
const IS_TICKED = /class="[^"]*(?:\bchecked\b|fa-check-square)|<input\b[^>]*\schecked\b/i;

/**
 * Runs before parsing, which would drop empty elements and turn line breaks in preformatted text into spaces.
 */
export const markCheckBoxes = (html: string): string =>
  html
    .replace(/[\uE010\uE011]/g, "")
    .replace(BOX, (box) => (IS_TICKED.test(box) ? TICKED : OPEN))
    .replace(/<pre\b[^>]*>[^]*?<\/pre>/gi, (pre) => pre.replace(/<br\s*\/?>/gi, "\n"));

export const restoreCheckBoxes = (markdown: string): string =>
  markdown.replaceAll(OPEN, "[ ]").replaceAll(TICKED, "[x]");

/** Keeps line breaks and spaces of preformatted text that is not marked as code. */
export function keepPreformatted(turndown: Turndown): void {
  turndown.addRule("preformatted", {
    filter: (node) => node.nodeName === "PRE" && node.firstChild?.nodeName !== "CODE",
    replacement: (_, node) => fenced(element(node).textContent ?? ""),
  });
}

/** Formulas are imported as typed text, since pages do not render them. */
export function keepFormulas(turndown: Turndown): void {
  turndown.addRule("formulas", {
    filter: (node) =>
      /(?:^|\s)math(?:\s|$)/.test(node.getAttribute("class") ?? "") || node.nodeName.toLowerCase() === "math",
    replacement: (_, node) => {
      const source =
        element(node).querySelector("annotation")?.textContent ?? element(node).textContent ?? "";
      if (source.trim() === "") return "";
      const isBlock = node.nodeName === "DIV" || element(node).getAttribute("display") === "block";
      return isBlock ? fenced(`$$\n${source.trim()}\n$$`) : coded(`$${source.replace(/\s+/g, " ").trim()}$`);
    },
  });
}

const longestRun = (text: string) =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `\n\n${fence}\n${text.replace(/^\n|\n$/g, "")}\n${fence}\n\n`;
}

function coded(text: string): string {
  const sign = "`".repeat(longestRun(text) + 1);
  return `${sign}${text}${sign}`;
}
