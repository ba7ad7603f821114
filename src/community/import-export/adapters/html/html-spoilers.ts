import type Turndown from "turndown";
import { element } from "./rule-element.ts";

// Converts collapsed and hidden content, superscripts and subscripts.

const isHidden = (node: Element) =>
  /(?:^|\s)(?:spoiler|spoiled)(?:\s|$)/.test(node.getAttribute("class") ?? "");
const isCollapsible = (node: Element) => node.nodeName === "DETAILS" || isHidden(node);

/** Collapsed content cannot be nested: inside another collapsible, text is shown openly. */
function isInsideCollapsible(node: Element): boolean {
  for (let it = node.parentElement; it; it = it.parentElement) if (isCollapsible(it)) return true;
  return false;
}

/** Converts spoilers and collapsed parts to their Markdown forms. */
export function addSpoilerRules(turndown: Turndown): void {
  turndown.addRule("inline spoilers", {
    filter: (node) => node.nodeName === "SPAN" && isHidden(node),
    replacement: (content, node) =>
      /^\s*$|\n\n|\|\|/.test(content) || isInsideCollapsible(element(node))
        ? content
        : `||${content.trim()}||`,
  });
  turndown.addRule("spoilers", {
    filter: (node) => ["DIV", "BLOCKQUOTE"].includes(node.nodeName) && isHidden(node),
    replacement: (content, node) =>
      isInsideCollapsible(element(node)) ? `\n\n${content.trim()}\n\n` : formatCollapsible("", content),
  });
  turndown.addRule("summaries", { filter: "summary", replacement: () => "" });
  turndown.addRule("collapsible sections", {
    filter: "details",
    replacement: (content, node) => {
      const summary = element(node).querySelector("summary")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
      return isInsideCollapsible(element(node))
        ? `\n\n${[summary, content.trim()].filter(Boolean).join("\n\n")}\n\n`
        : formatCollapsible(summary, content);
    },
  });
}

function formatCollapsible(title: string, content: string): string {
  const longest = (content.match(/^:{3,}/gm) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const sign = ":".repeat(longest + 1);
  return `\n\n${[sign, "spoiler", title].filter(Boolean).join(" ")}\n${content.trim()}\n${sign}\n\n`;
}

const [PLAIN, RAISED, LOWERED] = ["0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ"];
const DIGITS = /^[0-9+\-=()n]{1,20}$/;

/** Keeps superscripts recognizable: otherwise 10⁶ would become 106. */
export function addSuperscriptRules(turndown: Turndown): void {
  for (const [name, signs] of [
    ["sup", RAISED],
    ["sub", LOWERED],
  ] as const)
    turndown.addRule(name, {
      filter: name,
      replacement: (content) =>
        DIGITS.test(content) ? Array.from(content, (sign) => signs[PLAIN.indexOf(sign)]).join("") : content,
    });
}
