import { nameToEmoji } from "gemoji";
import { linkify } from "./markdown.ts";

// Options for escaping plain text, such as a mail's, so that Markdown renders it as written.

export type EscapeOptions = {
  /** True: lines that begin with `- ` or `1. ` stay lists, because the source program has lists. */
  keepLists?: boolean;
};

/**
 * Escapes a plain text so that Markdown renders it as written. Lines that begin with `>` stay quotations, web
 * addresses stay links, and indented paragraphs stay code blocks, in which nothing is escaped.
 */
export function escapeMarkdown(text: string, options: EscapeOptions = {}): string {
  const paragraphs = text.replaceAll("\r\n", "\n").split(/(\n[ \t]*(?=\n))/);
  let isFirst = true;
  return paragraphs
    .map((it) => {
      if (it.trim() === "") return it;
      // A text's first line cannot be a code block, because trimming would remove its indentation.
      const isCode = !isFirst && !options.keepLists && INDENTED.test(it);
      isFirst = false;
      return isCode ? it : it.replace(/[^\n]+/g, (line) => escapeLine(line, options));
    })
    .join("");
}

const INDENTED = /^(?:\n?(?: {4}|\t)[^\n]*)+$/;

/** Quotation marks, and the white space after them. */
const QUOTE_PREFIX = /^((?:> ?)*)(\s*)/;

function escapeLine(line: string, { keepLists = false }: EscapeOptions): string {
  const [whole = "", quote = "", indent = ""] = QUOTE_PREFIX.exec(line) ?? [];
  const rest = line.slice(whole.length);
  if (keepLists && LIST_MARK.test(rest)) return quote + indent + escapeInline(rest);
  const start = LINE_STARTS.reduce((it, form) => it || (form.exec(rest)?.[0] ?? ""), "");
  const escaped = start.replace(/.$/su, "\\$&") + escapeInline(rest.slice(start.length));
  return quote + keepIndentation(indent) + escaped;
}

const LIST_MARK = /^(?:-|\d{1,3}[.)])[ \t]/;
/**
 * Line beginnings with a meaning in Markdown: their last character is escaped. A line of dashes, for
 * instance, would turn its surroundings into a heading, a rule or a table.
 */
const LINE_STARTS = [
  /^[-=:|](?=[-=:|\s]*$)/,
  /^\d{1,9}[.)](?=\s|$)/,
  /^[-+*](?=\s|$)/,
  /^#(?=#{0,5}(?:\s|$))/,
  /^:(?=::)/,
];

/** Converts leading white space to non-breaking spaces. */
const keepIndentation = (indent: string) =>
  indent.length < 2 ? indent : indent.replaceAll("\t", "    ").replace(/\s/g, "\u00A0");

/** File names whose extension is also a top-level domain: `README.md` is not an address in Moldova. */
const FILE_NAME = new RegExp(
  String.raw`(?<![\w@/.-])([\w-]+(?:\.[\w-]+)*)\.((?:md|py|rs|sh|pl|pm|cc|so|ps|mk|am|ac|la|ml` +
    String.raw`|hs|vb|cs|in|ai|st|tf|sc|ms|mm|lc)(?![\w./-]\w|\w))`,
  "gi",
);

const MARKUP_SIGNS = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-\x60{-~]|$)`,
    "[*_`]",
    "~(?=~)|(?<=~)~",
    String.raw`\|(?=\|)|(?<=\|)\|`,
    String.raw`\](?=[(:])|\[(?=\^)`,
    String.raw`\^(?=\[)`,
    String.raw`<(?=[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>|[\w.!#$%&'*+/=?^{|}~\x60-]+@[a-z0-9.-]+>)`,
    "&(?=#[0-9]{1,7};|#x[0-9a-f]{1,6};|[a-z][a-z0-9]{1,31};)",
    String.raw`(?<![\p{L}\p{N}]):(?=([\w+-]+):)`,
  ].join("|"),
  "giu",
);

/** Escapes characters that have a meaning within a line of Markdown. Web addresses stay unchanged. */
export function escapeInline(text: string, { isLabel = false } = {}): string {
  const found = linkify.match(text) ?? [];
  const addresses = [
    ...findSchemeAddresses(text),
    ...found.filter(({ schema, raw }) => schema === "mailto:" || /^www\./i.test(raw)),
  ];
  const findAddress = (at: number) => addresses.find(({ index, lastIndex }) => at >= index && at < lastIndex);
  const signs = new Set<number>();
  for (const { 0: sign, 1: emoji, index } of text.matchAll(MARKUP_SIGNS)) {
    const address = findAddress(index);
    const isPartOfLink = address && (SCHEME_START.test(address.schema) || canOnlyOpen(text, index));
    if (!isPartOfLink && isMarkup(text, sign, emoji, index)) signs.add(index);
  }
  for (const { 1: name, index } of text.matchAll(FILE_NAME)) signs.add(index + name!.length);
  // The text of a link ends at the first unmatched bracket.
  if (isLabel) for (const { index } of text.matchAll(/[[\]]/g)) signs.add(index);
  // A backslash before a letter would be visible, and would break the address.
  for (const { index } of addresses) if (text[index - 1] === "\\") signs.add(index - 1);
  // A dotted word directly before an escaped character must not become an address: its dot is escaped too.
  for (const it of found)
    if (!findAddress(it.index) && signs.has(it.lastIndex))
      signs.add(it.index + Math.max(0, it.raw.indexOf(".")));
  // A backslash right after an address would become part of it.
  const bracketed = addresses.filter(
    ({ schema, lastIndex }) => SCHEME_START.test(schema) && signs.has(lastIndex),
  );
  const opening = new Set(bracketed.map(({ index }) => index));
  const closing = new Set(bracketed.map(({ lastIndex }) => lastIndex));
  const brackets = new Set(
    bracketed.flatMap(({ index, raw }) => Array.from(raw.matchAll(/[<>]/g), (it) => index + it.index)),
  );
  let escaped = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = brackets.has(at) ? encodeURIComponent(text[at]!) : text[at];
    escaped += `${closing.has(at) ? ">" : ""}${opening.has(at) ? "<" : ""}${signs.has(at) ? "\\" : ""}${sign}`;
  }
  return escaped;
}

/** Escapes a one-line text for the brackets of a link. */
export const escapeLabel = (text: string): string =>
  escapeInline(text.replace(/\s+/g, " ").trim(), { isLabel: true });

const SCHEME = /(?<![@a-z0-9.+-])(?:https?|ftp):\/\//gi;

/**
 * Finds addresses as the renderer does. Each scheme is tested on its own, because a search through the whole
 * text misses addresses right after certain characters.
 */
function findSchemeAddresses(text: string) {
  return Array.from(text.matchAll(SCHEME)).flatMap(({ index }) => {
    const found = linkify.matchAtStart(text.slice(index));
    return found ? [{ schema: found.schema, raw: found.raw, index, lastIndex: index + found.lastIndex }] : [];
  });
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * Schemes of addresses that the renderer recognises before it parses markup. Addresses with other schemes
 * are linked afterwards.
 */
const SCHEME_START = /^(?:https?|ftp):$/i;

/** Whether an emphasis sign cannot close emphasis, and so stays text while all closing signs are escaped. */
const canOnlyOpen = (text: string, at: number): boolean =>
  /[*_]/.test(text[at]!) && !LETTER.test(text[at - 1] ?? "") && LETTER.test(text[at + 1] ?? "");

/** Whether a sign is markup: an asterisk between spaces is text, and so is an underscore within a word. */
function isMarkup(text: string, sign: string, emoji: string | undefined, at: number): boolean {
  if (emoji !== undefined) return Object.hasOwn(nameToEmoji, emoji);
  if (sign !== "*" && sign !== "_") return true;
  const [before, after] = [text[at - 1] ?? "", text[at + 1] ?? ""];
  const isWithinWord = sign === "_" && LETTER.test(before) && LETTER.test(after);
  return !isWithinWord && !(/\s/.test(before) && /\s/.test(after));
}
