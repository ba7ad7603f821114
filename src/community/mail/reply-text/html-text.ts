import { DomUtils, Parser, parseDocument } from "htmlparser2";
import Turndown from "turndown";
import { hasLongBlankRun } from "#platform/markup";
import { escapeMarkdownWords } from "./markdown-of-text.ts";
import { LINE_MARKERS } from "./own-text.ts";

/**
 * Limits of HTML: characters, nesting depth and number of elements. Larger HTML is probably meant to slow the
 * parser down.
 */
const [MOST_HTML, DEEPEST, MOST_ELEMENTS] = [500_000, 120, 20_000];

type Element = NonNullable<ReturnType<typeof DomUtils.getElementById>>;

/** Converts an HTML mail to Markdown, with marker characters (`LINE_MARKERS`) where elements mark quoted text. */
export function htmlMailToMarkdown(html: string): string {
  const given = html.slice(0, MOST_HTML).replace(/[\ue000-\ue002]/g, "");
  if (depthOf(given) > DEEPEST || hasLongBlankRun(given)) return plainWords(given);
  const root = parseDocument(given);
  const elements = DomUtils.findAll(() => true, root.children);
  if (elements.length > MOST_ELEMENTS) return plainWords(given);
  for (const element of elements) prepare(element);
  return turndown.turndown(DomUtils.getOuterHTML(root)).replace(/\u00a0/g, " ");
}

const VOID = new Set([
  "br",
  "img",
  "hr",
  "meta",
  "link",
  "input",
  "base",
  "col",
  "wbr",
  "area",
  "source",
  "embed",
  "param",
  "track",
]);

function depthOf(html: string): number {
  let [depth, deepest] = [0, 0];
  const parser = new Parser({
    onopentag: (name) => void (!VOID.has(name) && (deepest = Math.max(deepest, ++depth))),
    onclosetag: (name) => void (!VOID.has(name) && depth--),
  });
  for (let at = 0; at < html.length && deepest <= DEEPEST; at += 8_000)
    parser.write(html.slice(at, at + 8_000));
  return deepest;
}

/** The text of HTML above the limits, without formatting. */
function plainWords(html: string): string {
  let words = "";
  let depth = 0;
  const parser = new Parser({
    onopentag: (name) => void (depth++, (words += /^(?:br|p|div|li|tr)$/.test(name) ? "\n" : "")),
    ontext: (text) => void (words += escapeMarkdownWords(text.replace(/\s+/g, " "))),
    onclosetag: () => void depth--,
  });
  for (let at = 0; at < html.length && depth < 500; at += 8_000) parser.write(html.slice(at, at + 8_000));
  return words;
}

const SIGNATURES = new RegExp(
  String.raw`(?:^|\s)(?:gmail_signature(?:_prefix)?|moz-signature|protonmail_signature_block` +
    String.raw`|spark_signature|ms-outlook-mobile-signature|x_?Signature|Signature` +
    String.raw`|k9mail-signature|tutanota_signature)(?:\s|$)`,
);
/** Classes of the sentence that names the writer of the quoted mail. */
const INTRODUCTIONS = /(?:^|\s)(?:gmail_attr|moz-cite-prefix|replyHeader)(?:\s|$)/;
/** Classes of elements that contain a whole quotation. */
const QUOTATIONS = new RegExp(
  String.raw`(?:^|\s)(?:yahoo_quoted|protonmail_quote|zmail_extra|gmail_extra_quote` +
    String.raw`|tutanota_quote|messageReplySection|mail-editor-reference-message-container|quote` +
    String.raw`|OLK_SRC_BODY_SECTION|\S*yahoo_quoted\S*)(?:\s|$)`,
);
/** Ids and classes of elements after which the rest of the mail is a quotation. */
const BEGINNINGS = /(?:^|\s)(?:appendonsend|divRplyFwdMsg|x_divRplyFwdMsg|stopSpelling)(?:\s|$)/;
const BORDERED = /border(?:-top)?\s*:\s*(?:none;\s*border-top\s*:\s*)?solid\s+#(?:e1e1e1|b5c4df)/i;

/**
 * Replaces elements with classes of known mail programs by marker characters and plain elements, and removes
 * hidden parts.
 */
function prepare(element: Element): void {
  const { name, attribs } = element;
  const markers = `${attribs["class"] ?? ""} ${attribs["id"] ?? ""} ${attribs["name"] ?? ""}`;
  const style = attribs["style"] ?? "";
  if (["style", "script", "head", "title", "template"].includes(name) || /display\s*:\s*none/i.test(style))
    return remove(element);
  if (name === "hr" && (attribs["tabindex"] === "-1" || attribs["id"] === "stopSpelling"))
    return remove(element);
  if (SIGNATURES.test(markers)) return remove(element);
  if (name === "img") return replaceBy(element, pictureWords(attribs));
  if (INTRODUCTIONS.test(markers)) return signEach(element, LINE_MARKERS.introduction);
  if (BEGINNINGS.test(markers) || (BORDERED.test(style) && /:/.test(DomUtils.textContent(element))))
    return putBefore(element, LINE_MARKERS.restQuoted);
  const holdsQuote = DomUtils.findOne(({ name: inner }) => inner === "blockquote", element.children) !== null;
  if (name !== "blockquote" && QUOTATIONS.test(markers))
    return holdsQuote ? undefined : signEach(element, LINE_MARKERS.quoted);
  if (
    ["div", "p", "span"].includes(name) &&
    !DomUtils.textContent(element).trim() &&
    !DomUtils.findOne(({ name: it }) => it === "img", element.children)
  )
    element.children = [];
}

const remove = (element: Element) => DomUtils.removeElement(element);
const markup = (html: string) => parseDocument(html).children;

function replaceBy(element: Element, words: string) {
  for (const node of markup(words.replace(/&/g, "&amp;").replace(/</g, "&lt;")))
    DomUtils.prepend(element, node);
  remove(element);
}
const putBefore = (element: Element, sign: string) => {
  for (const node of markup(`<p>${sign}</p>`)) DomUtils.prepend(element, node);
};

/** Renames the element. The Turndown rule for the new name puts the marker before each line. */
function signEach(element: Element, sign: string) {
  element.name = sign === LINE_MARKERS.introduction ? "kith-introduction" : "kith-quoted";
}

/** Text for a picture: its emoji or its name. External pictures without a name are often tracking pixels. */
function pictureWords({ alt = "", src = "" }: Record<string, string>): string {
  const words = alt.trim().slice(0, 100);
  if (words !== "" && !/[\p{L}]/u.test(words)) return words;
  return /^cid:/i.test(src) ? `(${words || "picture"})` : words;
}

const turndown = new Turndown({
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "*",
  hr: "\\---",
  br: "",
});
turndown.escape = escapeMarkdownWords;
const signed = (sign: string) => (content: string) =>
  `\n\n${content
    .trim()
    .split("\n")
    .map((line) => `${sign}${line}`)
    .join("\n")}\n\n`;
const named = (name: string) => (node: Turndown.Node) => node.nodeName.toLowerCase() === name;
turndown.addRule("introductions", {
  filter: named("kith-introduction"),
  replacement: signed(LINE_MARKERS.introduction),
});
turndown.addRule("quoted", { filter: named("kith-quoted"), replacement: signed(LINE_MARKERS.quoted) });
turndown.addRule("lines", {
  filter: ["div"],
  replacement: (content) => `\n${content.replace(/^\n|\n$/g, "")}\n`,
});
turndown.addRule("points", {
  filter: "li",
  replacement: (content, node, options) => {
    const parent = node.parentElement;
    const number =
      Number(parent?.getAttribute("start") ?? 1) + Array.from(parent?.children ?? []).indexOf(node);
    const prefix = parent?.nodeName === "OL" ? `${number}. ` : `${options.bulletListMarker} `;
    const words = content.trim().replace(/\n/g, `\n${" ".repeat(prefix.length)}`);
    return `${prefix}${words}${node.nextSibling ? "\n" : ""}`;
  },
});
turndown.addRule("links", {
  filter: (node) => node.nodeName === "A",
  replacement: (content, node) => linkOf(content, node.getAttribute("href") ?? ""),
});
turndown.addRule("code", {
  filter: "pre",
  replacement: (_, node) => {
    const text = node.textContent?.replace(/^\n/, "").trimEnd() ?? "";
    const fence = "`".repeat(Math.max(3, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length + 1)));
    return text === "" ? "" : `\n\n${fence}\n${text}\n${fence}\n\n`;
  },
});
turndown.addRule("tables", {
  filter: "table",
  replacement: (content, node) => tableOf(node) ?? `\n\n${content}\n\n`,
});
turndown.addRule("cells", {
  filter: ["td", "th", "tr", "tbody", "thead"],
  replacement: (content) => `\n${content.trim()}\n`,
});

function linkOf(content: string, href: string): string {
  const words = content.replace(/\s+/g, " ").trim();
  if (!/^(?:https?|mailto):/i.test(href) || words === "") return content;
  const bare = href.replace(/^mailto:/i, "");
  const plain = words.replace(/\\(?=[^\w\s])/g, "");
  if (plain === bare || `${plain}/` === bare || plain === href) return plain;
  return `[${words}](<${href.replace(/[<>\s]/g, encodeURIComponent)}>)`;
}

/** Converts a table to Markdown. Returns null for a layout table, because many mails are one table. */
function tableOf(table: HTMLElement): string | null {
  if (
    table.querySelector("table, blockquote, p p, pre, ul, ol") ||
    (table.closest?.("table") ?? table) !== table
  )
    return null;
  const rows = Array.from(table.querySelectorAll("tr")).map((row) =>
    Array.from(row.querySelectorAll("th, td")).map((cell) =>
      turndown
        .turndown(cell.innerHTML)
        .replace(/\s*\n\s*/g, " ")
        .replaceAll(/(?<!\\)\|/g, "\\|"),
    ),
  );
  const wide = Math.max(0, ...rows.map((row) => row.length));
  if (wide < 2 || rows.length < 2) return null;
  const [head, ...body] = rows.map(
    (row) => `| ${Array.from({ length: wide }, (_, n) => row[n] ?? "").join(" | ")} |`,
  );
  return `\n\n${[head, `|${" --- |".repeat(wide)}`, ...body].join("\n")}\n\n`;
}
