import Turndown from "turndown";
import { escapeLabel, createExcerpt, hasLongBlankRun } from "#platform/markup";
import { element } from "./rule-element.ts";
import { findEmoji } from "../emoji-names.ts";
import { addSuperscriptRules, addSpoilerRules } from "./html-spoilers.ts";
import { addEmphasisRules } from "./html-emphasis.ts";
import { addEmbedRules } from "./html-embeds.ts";
import {
  escapeTexts,
  keepFormulas,
  keepPreformatted,
  markCheckBoxes,
  restoreCheckBoxes,
} from "./html-texts.ts";

/** Result of converting HTML, with the names of dropped elements. */
export type MarkdownResult = {
  body: string;
  dropped: string[];
  /** Number of links and pictures that lead into the old site while its address is unknown. */
  nowhere: number;
  /** Mentioned usernames in lower case, each once. */
  mentions: string[];
};

type HtmlOptions = {
  /** Origin of the old site: relative links lead there. */
  site?: string | undefined;
  /** Replacement text for polls, by their names. */
  polls?: Map<string, string> | undefined;
  /** Whether the topic is imported. Links to other topics keep their original address. */
  isHere?: ((topic: number) => boolean) | undefined;
};

const DROPPED_ELEMENTS = ["script", "style", "form", "input", "button", "svg", "canvas"];
const MAX_HTML_LENGTH = 400_000;
/** Maximum nesting: converting nested lists and quotations takes time in proportion to depth times length. */
const MAX_DEPTH = 100;

/**
 * Converts HTML of another platform to Markdown. Pictures become links, because none is fetched; quotations
 * keep the name of their author; active content and forms are dropped and listed in the result.
 */
export function htmlToMarkdown(html: string, options: HtmlOptions = {}): MarkdownResult {
  if (html.length > MAX_HTML_LENGTH)
    return plainResult(
      html.slice(0, MAX_HTML_LENGTH),
      MAX_HTML_LENGTH / 10,
      `everything beyond ${MAX_HTML_LENGTH} characters`,
    );
  if (measureDepth(html) > MAX_DEPTH)
    return plainResult(html, MAX_HTML_LENGTH, "formatting nested too deeply");
  if (hasLongBlankRun(html))
    return plainResult(html, MAX_HTML_LENGTH, "formatting of a text with too much white space");
  const lost: LostContent = { dropped: new Set(), nowhere: 0, mentions: new Set() };
  const whole = markCheckBoxes(html).replace(/(<code[^>]*class=")lang-/g, "$1language-");
  const body = restoreCheckBoxes(createTurndown(options, lost).turndown(whole)).trim();
  return { body, dropped: [...lost.dropped], nowhere: lost.nowhere, mentions: [...lost.mentions] };
}

/** Plain text for HTML that would take too long to convert, cut after `most` characters. */
const plainResult = (html: string, most: number, dropped: string): MarkdownResult => ({
  body: createExcerpt(html, most),
  dropped: [dropped],
  nowhere: 0,
  mentions: [],
});

type LostContent = { dropped: Set<string>; nowhere: number; mentions: Set<string> };

/** Elements whose end tag is optional. */
const UNCLOSED_ELEMENTS =
  /^(?:p|li|t[rdh]|d[td]|option|br|hr|img|input|meta|link|col|area|base|embed|source|track|wbr)$/i;

/** Returns an upper bound of the nesting depth, without matching closing tags. */
function measureDepth(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [, closing, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b/gi)) {
    if (UNCLOSED_ELEMENTS.test(name!)) continue;
    depth = closing ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function createTurndown({ site, polls, isHere }: HtmlOptions, lost: LostContent): Turndown {
  const { dropped } = lost;
  const it = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  const isA = (node: HTMLElement, name: string, ...classes: string[]) =>
    node.nodeName === name.toUpperCase() &&
    classes.every((one) => (node.getAttribute("class") ?? "").split(/\s+/).includes(one));
  /** `words` must be Markdown. */
  const link = (words: string, to: string | null) => {
    const href = resolveLink(to, site, isHere);
    if (!href && !site && to && RELATIVE_URL.test(to)) lost.nowhere += 1;
    return href ? `[${words.replace(/\s+/g, " ").trim() || escapeLabel(href)}](<${href}>)` : words;
  };
  it.addRule("dropped", {
    filter: (node) => DROPPED_ELEMENTS.includes(node.nodeName.toLowerCase()),
    replacement: (_, node) => (dropped.add(node.nodeName.toLowerCase()), ""),
  });
  it.addRule("links", {
    filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
    replacement: (content, node) =>
      content.includes("](") ? content : link(content, element(node).getAttribute("href")),
  });
  it.addRule("pictures", {
    filter: "img",
    replacement: (_, node) => {
      const [src, alt] = [element(node).getAttribute("src"), element(node).getAttribute("alt") ?? ""];
      if (isA(element(node), "img", "emoji"))
        return findEmoji(alt || (element(node).getAttribute("title") ?? ""));
      return src?.startsWith("data:")
        ? (dropped.add("picture in the text"), escapeLabel(alt))
        : link(escapeLabel(alt) || "picture", src);
    },
  });
  it.addRule("polls", {
    filter: (node) => isA(node, "div", "poll") && node.getAttribute("data-poll-name") !== null,
    replacement: (_, node) => {
      const options = Array.from(element(node).querySelectorAll("li")).map(
        (one) => `- ${it.turndown(one.innerHTML)}`,
      );
      return `\n\n${polls?.get(element(node).getAttribute("data-poll-name")!) ?? options.join("\n")}\n\n`;
    },
  });
  it.addRule("mentions", {
    filter: (node) => isA(node, "a", "mention"),
    replacement: (content, node) => {
      const name = element(node).textContent?.trim().replace(/^@/, "") ?? "";
      if (!USERNAME.test(name)) return content;
      lost.mentions.add(name.toLowerCase());
      return `@${name}`;
    },
  });
  it.addRule("lightboxes", {
    filter: (node) => isA(node, "a", "lightbox"),
    replacement: (_, node) => {
      const picture = element(node).querySelector("img")?.getAttribute("alt") ?? "picture";
      const title = element(node).getAttribute("title") ?? picture;
      return `${link(escapeLabel(title), element(node).getAttribute("href"))}\n\n`;
    },
  });
  it.addRule("link previews", {
    filter: (node) => isA(node, "aside", "onebox"),
    replacement: (_, node) => {
      const title = element(node).querySelector("h3, h4")?.textContent ?? "";
      const href = element(node).querySelector("a")?.getAttribute("href") ?? null;
      return `\n\n${link(escapeLabel(title), element(node).getAttribute("data-onebox-src") ?? href)}\n\n`;
    },
  });
  it.addRule("quotations", {
    filter: (node) => isA(node, "aside", "quote"),
    replacement: (_, node) => {
      const who = element(node).getAttribute("data-username");
      const [topic, post] = [
        element(node).getAttribute("data-topic"),
        element(node).getAttribute("data-post"),
      ];
      const words = it.turndown(element(node).querySelector("blockquote")?.innerHTML ?? "");
      const head = who && (topic && post ? `${link(`**${who}**`, `/t/${topic}/${post}`)}:` : `**${who}**:`);
      return `\n\n${[head, words].filter(Boolean).join("\n\n").replace(/^/gm, "> ")}\n\n`;
    },
  });
  addEmbedRules(
    it,
    (title, to) => link(escapeLabel(title), to),
    (name) => void dropped.add(name),
  );
  escapeTexts(it);
  keepPreformatted(it);
  keepFormulas(it);
  addEmphasisRules(it);
  addSpoilerRules(it);
  addSuperscriptRules(it);
  it.addRule("tables", { filter: "table", replacement: (_, node) => formatTable(it, element(node)) });
  return it;
}

/** Usernames that Markdown recognizes as mentions. */
const USERNAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,58}[a-z0-9_])?$/i;

/** A relative address. */
const RELATIVE_URL = /^(?:\/(?!\/)|\.)/;

/**
 * Matches the topic's number in a path of the old site. Of two numbers, the first is the topic and the
 * second the post.
 */
const TOPIC_PATH = /^\/t\/(?:(?!\d+(?:\/|$))[^/]+\/)?(\d{1,15})(?:[/?#]|$)/;

const stripScheme = (to: string) => to.replace(/^https?:/, "");

/** The path of an address of the old site, whether it uses http or https. */
const findSitePath = (to: string, site: string | undefined): string | null =>
  site && stripScheme(to).startsWith(`${stripScheme(site)}/`)
    ? stripScheme(to).slice(stripScheme(site).length)
    : null;

/** Target of a link: an address on the web, or a path of the old site, which redirects in this community. */
function resolveLink(
  to: string | null,
  site: string | undefined,
  isHere: HtmlOptions["isHere"],
): string | null {
  if (!to || /\s/.test(to.trim())) return null;
  if (to.startsWith("//")) return resolveLink(`https:${to}`, site, isHere);
  const own = findSitePath(to, site) ?? to;
  const topic = TOPIC_PATH.exec(own)?.[1];
  const staysThere = site && isHere && topic !== undefined && !isHere(Number(topic));
  if (!staysThere && /^\/(?:t|questions|q|a)\/[\w-]/.test(own)) return own;
  if (!site && /^(?:[/?#]|\.)/.test(to)) return null;
  if (!URL.canParse(to, site)) return null;
  const url = new URL(to, site);
  return ["http:", "https:", "mailto:"].includes(url.protocol)
    ? url.href.replaceAll(">", "%3E").replaceAll("<", "%3C")
    : null;
}

function formatTable(turndown: Turndown, table: HTMLElement): string {
  const rows = Array.from(table.querySelectorAll("tr")).map((row) =>
    Array.from(row.querySelectorAll("th, td")).map((cell) =>
      turndown
        .turndown(cell.innerHTML)
        .replace(/\s*\n\s*/g, " ")
        .replaceAll("|", "\\|"),
    ),
  );
  const wide = Math.max(0, ...rows.map((row) => row.length));
  if (wide === 0) return "";
  const [head, ...body] = rows.map(
    (row) => `| ${Array.from({ length: wide }, (_, i) => row[i] ?? "").join(" | ")} |`,
  );
  return `\n\n${[head, `|${" --- |".repeat(wide)}`, ...body].join("\n")}\n\n`;
}
