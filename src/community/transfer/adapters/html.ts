import Turndown from "turndown";
import { escapeLabel, excerptOf } from "#platform/markup";
import { emojiOf } from "./emoji.ts";
import { keepFigures, keepFolded } from "./html-folded.ts";
import { keepMarks } from "./html-marks.ts";
import { linkToShown } from "./html-shown.ts";
import { escapeTexts, keepFormulas, keepPreformatted, markBoxes, showBoxes } from "./html-texts.ts";

/** What was made of a piece of HTML, and what had to be left out of it: names of elements. */
export type Turned = {
  body: string;
  dropped: string[];
  /** How many links and pictures lead into the place itself, of which nobody says where it is. */
  nowhere: number;
  /** Whom it calls, in lower case, each once. */
  mentions: string[];
};

type Options = {
  /** The origin of the place it comes from: links without one lead there. */
  site?: string | undefined;
  /** What stands for the polls in it, by their names. */
  polls?: Map<string, string> | undefined;
  /** Whether a topic comes along: links to others stay where they lead. */
  isHere?: ((topic: number) => boolean) | undefined;
};

const DROPPED = ["script", "style", "form", "input", "button", "svg", "canvas"];
const LONGEST = 400_000;
/** Lists in lists and quotations of quotations cost their depth times their length. */
const DEEPEST = 100;

/**
 * HTML of another place as Markdown. Pictures become links, for none is fetched; quotations say whom they quote; what
 * could run or be filled in is left out, and named.
 */
export function markdownOf(html: string, options: Options = {}): Turned {
  if (html.length > LONGEST)
    return {
      body: excerptOf(html.slice(0, LONGEST), LONGEST / 10),
      dropped: [`everything beyond ${LONGEST} characters`],
      nowhere: 0,
      mentions: [],
    };
  if (depthOf(html) > DEEPEST)
    return { body: excerptOf(html, LONGEST), dropped: ["a nesting too deep to follow"], nowhere: 0, mentions: [] };
  const lost: Lost = { dropped: new Set(), nowhere: 0, mentions: new Set() };
  const whole = markBoxes(html).replace(/(<code[^>]*class=")lang-/g, "$1language-");
  const body = showBoxes(turndownFor(options, lost).turndown(whole)).trim();
  return { body, dropped: [...lost.dropped], nowhere: lost.nowhere, mentions: [...lost.mentions] };
}

type Lost = { dropped: Set<string>; nowhere: number; mentions: Set<string> };

/** Elements that end without being told to. */
const ENDLESS = /^(?:p|li|t[rdh]|d[td]|option|br|hr|img|input|meta|link|col|area|base|embed|source|track|wbr)$/i;

/** How deep it may be nested, counted generously: without asking what closes what. */
function depthOf(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [, closing, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b/gi)) {
    if (ENDLESS.test(name!)) continue;
    depth = closing ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function turndownFor({ site, polls, isHere }: Options, lost: Lost): Turndown {
  const { dropped } = lost;
  const it = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", emDelimiter: "*", hr: "---" });
  const element = (node: Turndown.Node) => node as HTMLElement;
  const isA = (node: HTMLElement, name: string, ...classes: string[]) =>
    node.nodeName === name.toUpperCase() && classes.every((one) => (node.getAttribute("class") ?? "").split(/\s+/).includes(one));
  /** `words` are Markdown already. */
  const link = (words: string, to: string | null) => {
    const href = addressOf(to, site, isHere);
    if (!href && !site && to && INWARD.test(to)) lost.nowhere += 1;
    return href ? `[${words.replace(/\s+/g, " ").trim() || escapeLabel(href)}](<${href}>)` : words;
  };
  it.addRule("dropped", {
    filter: (node) => DROPPED.includes(node.nodeName.toLowerCase()),
    replacement: (_, node) => (dropped.add(node.nodeName.toLowerCase()), ""),
  });
  it.addRule("links", {
    filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
    replacement: (content, node) => (content.includes("](") ? content : link(content, element(node).getAttribute("href"))),
  });
  it.addRule("pictures", {
    filter: "img",
    replacement: (_, node) => {
      const [src, alt] = [element(node).getAttribute("src"), element(node).getAttribute("alt") ?? ""];
      if (isA(element(node), "img", "emoji")) return emojiOf(alt || (element(node).getAttribute("title") ?? ""));
      return src?.startsWith("data:")
        ? (dropped.add("picture within the text"), escapeLabel(alt))
        : link(escapeLabel(alt) || "picture", src);
    },
  });
  it.addRule("polls", {
    filter: (node) => isA(node, "div", "poll") && node.getAttribute("data-poll-name") !== null,
    replacement: (_, node) => {
      const options = Array.from(element(node).querySelectorAll("li")).map((one) => `- ${it.turndown(one.innerHTML)}`);
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
    replacement: (_, node) =>
      `${link(escapeLabel(element(node).getAttribute("title") ?? element(node).querySelector("img")?.getAttribute("alt") ?? "picture"), element(node).getAttribute("href"))}\n\n`,
  });
  it.addRule("cards of links", {
    filter: (node) => isA(node, "aside", "onebox"),
    replacement: (_, node) => {
      const title = element(node).querySelector("h3, h4")?.textContent ?? "";
      return `\n\n${link(escapeLabel(title), element(node).getAttribute("data-onebox-src") ?? element(node).querySelector("a")?.getAttribute("href") ?? null)}\n\n`;
    },
  });
  it.addRule("quotations", {
    filter: (node) => isA(node, "aside", "quote"),
    replacement: (_, node) => {
      const who = element(node).getAttribute("data-username");
      const [topic, post] = [element(node).getAttribute("data-topic"), element(node).getAttribute("data-post")];
      const words = it.turndown(element(node).querySelector("blockquote")?.innerHTML ?? "");
      const head = who && (topic && post ? `${link(`**${who}**`, `/t/${topic}/${post}`)}:` : `**${who}**:`);
      return `\n\n${[head, words].filter(Boolean).join("\n\n").replace(/^/gm, "> ")}\n\n`;
    },
  });
  linkToShown(
    it,
    (title, to) => link(escapeLabel(title), to),
    (name) => void dropped.add(name),
  );
  escapeTexts(it);
  keepPreformatted(it);
  keepFormulas(it);
  keepMarks(it);
  keepFolded(it);
  keepFigures(it);
  it.addRule("tables", { filter: "table", replacement: (_, node) => tableOf(it, element(node)) });
  return it;
}

/** What our own Markdown reads as a name. */
const USERNAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,58}[a-z0-9_])?$/i;

/** An address that only the place itself can follow. */
const INWARD = /^(?:\/(?!\/)|\.)/;

/** The topic that an address of the place leads to: of two numbers the first is its. */
const TOPIC = /^\/t\/(?:(?!\d+(?:\/|$))[^/]+\/)?(\d{1,15})(?:[/?#]|$)/;

const schemeless = (to: string) => to.replace(/^https?:/, "");

/** The path of an address of the place itself, also of the days before it was at https. */
const ownPath = (to: string, site: string | undefined): string | null =>
  site && schemeless(to).startsWith(`${schemeless(site)}/`) ? schemeless(to).slice(schemeless(site).length) : null;

/** Where a link leads: into the web, or to an old address of the place itself, which is answered here now. */
function addressOf(to: string | null, site: string | undefined, isHere: Options["isHere"]): string | null {
  if (!to || /\s/.test(to.trim())) return null;
  if (to.startsWith("//")) return addressOf(`https:${to}`, site, isHere);
  const own = ownPath(to, site) ?? to;
  const topic = TOPIC.exec(own)?.[1];
  const staysThere = site && isHere && topic !== undefined && !isHere(Number(topic));
  if (!staysThere && /^\/(?:t|questions|q|a)\/[\w-]/.test(own)) return own;
  if (!site && /^(?:[/?#]|\.)/.test(to)) return null;
  if (!URL.canParse(to, site)) return null;
  const url = new URL(to, site);
  return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href.replaceAll(">", "%3E").replaceAll("<", "%3C") : null;
}

function tableOf(it: Turndown, table: HTMLElement): string {
  const rows = Array.from(table.querySelectorAll("tr")).map((row) =>
    Array.from(row.querySelectorAll("th, td")).map((cell) =>
      it
        .turndown(cell.innerHTML)
        .replace(/\s*\n\s*/g, " ")
        .replaceAll("|", "\\|"),
    ),
  );
  const wide = Math.max(0, ...rows.map((row) => row.length));
  if (wide === 0) return "";
  const [head, ...body] = rows.map((row) => `| ${Array.from({ length: wide }, (_, i) => row[i] ?? "").join(" | ")} |`);
  return `\n\n${[head, `|${" --- |".repeat(wide)}`, ...body].join("\n")}\n\n`;
}
