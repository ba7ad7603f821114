import type Turndown from "turndown";
import { element } from "./rule-element.ts";

// Converts bold, italic and struck text so that Markdown recognizes the marks wherever they are.

const EMPHASIS_SIGNS: [name: string, tags: string[], sign: string][] = [
  ["strong", ["STRONG", "B"], "**"],
  ["emphasis", ["EM", "I"], "*"],
  ["struck", ["DEL", "S", "STRIKE"], "~~"],
];

export function addEmphasisRules(turndown: Turndown): void {
  for (const [name, tags, sign] of EMPHASIS_SIGNS)
    turndown.addRule(name, {
      filter: (node) => tags.includes(node.nodeName),
      replacement: (content, node) =>
        isWithin(element(node), tags) ? content : formatEmphasis(content, element(node), tags, sign),
    });
  turndown.addRule("lists next to bullet points", {
    filter: (node) => LISTS.includes(node.nodeName) && LISTS.includes(node.parentNode?.nodeName ?? ""),
    replacement: (content) => `\n${content.replace(/^\n+|\s+$/g, "").replace(/^(?=.)/gm, "    ")}\n`,
  });
}

const LISTS = ["UL", "OL"];

/** Whether an ancestor has one of these tags: bold inside bold adds nothing. */
function isWithin(node: Element, tags: string[]): boolean {
  for (let it = node.parentElement; it; it = it.parentElement) if (tags.includes(it.nodeName)) return true;
  return false;
}

/** Starts of blocks: an emphasis mark before one of these would be shown literally. */
const BLOCK_START = /^(?:-|\d+\.|>|#|\||:::|```)/;

function formatEmphasis(content: string, node: Element, tags: string[], sign: string): string {
  if (content.trim() === "" || content.includes("```")) return content;
  const parts = content.split(/\n{2,}/);
  if (parts.length > 1)
    return parts
      .map((part) => (part.trim() === "" || BLOCK_START.test(part.trim()) ? part : sign + part.trim() + sign))
      .join("\n\n");
  const [before, after] = [describeSibling(node, "previousSibling"), describeSibling(node, "nextSibling")];
  // If several asterisks touch, Markdown decides by the characters before and after all of them.
  const bare = sign === "~~" ? content : content.replace(/^\*+|\*+$/g, "");
  if (LETTER_AT_END.test(before.text) && !LETTER_AT_START.test(bare)) return content;
  const [core, tail] = splitTrailingPunctuation(content);
  const touches = LETTER_AT_START.test(after.text);
  if (touches && !LETTER_AT_END.test(tail ? core : bare)) return content;
  const [begin, end] = [tags.includes(before.name) ? "" : sign, tags.includes(after.name) ? "" : sign];
  return touches && tail ? `${begin}${core}${end}${tail}` : `${begin}${content}${end}`;
}

/**
 * Splits off trailing punctuation. Loops from the end, because a regular expression would be slow on long
 * runs of punctuation.
 */
function splitTrailingPunctuation(content: string): [core: string, tail: string] {
  let end = content.length;
  while (end > 0 && ".,:;!?…".includes(content[end - 1]!)) end -= 1;
  return [content.slice(0, end), content.slice(end)];
}

const LETTER_AT_START = /^[\p{L}\p{N}]/u;
const LETTER_AT_END = /[\p{L}\p{N}]$/u;

/**
 * Tag name of the adjacent sibling, and its text if it is a text node. Turndown has already moved white
 * space between the two to the outside.
 */
function describeSibling(
  node: Element,
  which: "previousSibling" | "nextSibling",
): { name: string; text: string } {
  const own = node.textContent ?? "";
  if (which === "nextSibling" ? /\s$/.test(own) : /^\s/.test(own)) return { name: "", text: "" };
  const it = node[which];
  return { name: it?.nodeName ?? "", text: it?.nodeType === 3 ? (it.nodeValue ?? "") : "" };
}
