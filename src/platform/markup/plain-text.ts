import { nameToEmoji } from "gemoji";
import { linkify } from "./markdown.ts";

// Plain text is not Markdown: what somebody wrote in a mail or in another program stays as it was written.

export type EscapeOptions = {
  /** Lines that begin with `- ` or `1. ` are lists, because the program that wrote them has lists. */
  keepLists?: boolean;
};

/**
 * Markdown that shows a plain text as it stands. Lines that begin with `>` stay quotations, addresses of the web stay
 * links, and paragraphs that are indented as a whole stay blocks of code, in which nothing is escaped.
 */
export function escapeMarkdown(text: string, options: EscapeOptions = {}): string {
  const paragraphs = text.replaceAll("\r\n", "\n").split(/(\n[ \t]*(?=\n))/);
  let isFirst = true;
  return paragraphs
    .map((it) => {
      if (it.trim() === "") return it;
      // The first line of a text loses its indentation where the text is trimmed, and with it the block.
      const isCode = !isFirst && !options.keepLists && INDENTED.test(it);
      isFirst = false;
      return isCode ? it : it.replace(/[^\n]+/g, (line) => escapeLine(line, options));
    })
    .join("");
}

const INDENTED = /^(?:\n?(?: {4}|\t)[^\n]*)+$/;

/** Signs of quotation, and the white space after them. */
const PREFIX = /^((?:> ?)*)(\s*)/;

function escapeLine(line: string, { keepLists = false }: EscapeOptions): string {
  const [whole, quote, indent] = PREFIX.exec(line) as unknown as [string, string, string];
  const rest = line.slice(whole.length);
  if (keepLists && LIST.test(rest)) return quote + indent + escapeInline(rest);
  const start = LINE_STARTS.reduce((it, form) => it || (form.exec(rest)?.[0] ?? ""), "");
  const escaped = start.replace(/.$/su, "\\$&") + escapeInline(rest.slice(start.length));
  return quote + keepIndent(indent) + escaped;
}

const LIST = /^(?:-|\d{1,3}[.)])[ \t]/;
/**
 * What makes something else of a whole line: its last sign is escaped. A line of nothing but dashes and the like makes a
 * heading, a rule or a table of what stands around it.
 */
const LINE_STARTS = [/^[-=:|](?=[-=:|\s]*$)/, /^\d{1,9}[.)](?=\s|$)/, /^[-+*](?=\s|$)/, /^#(?=#{0,5}(?:\s|$))/, /^:(?=::)/];

/** White space at the beginning of a line is shown where it cannot break. */
const keepIndent = (indent: string) => (indent.length < 2 ? indent : indent.replaceAll("\t", "    ").replace(/\s/g, "\u00A0"));

/** Names of files whose ending is also that of a country: `README.md` is no address of Moldova. */
const FILE_NAME =
  /(?<![\w@/.-])([\w-]+(?:\.[\w-]+)*)\.((?:md|py|rs|sh|pl|pm|cc|so|ps|mk|am|ac|la|ml|hs|vb|cs|in|ai|st|tf|sc|ms|mm|lc)(?![\w./-]\w|\w))/gi;

const SIGNS = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-\x60{-~]|$)`,
    "[*_`]",
    "~(?=~)|(?<=~)~",
    String.raw`\|(?=\|)|(?<=\|)\|`,
    String.raw`\](?=[(:])|\[(?=\^)`,
    String.raw`\^(?=\[)`,
    String.raw`<(?=[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>|[\w.+-]+@[a-z0-9.-]+>)`,
    "&(?=#[0-9]{1,7};|#x[0-9a-f]{1,6};|[a-z][a-z0-9]{1,31};)",
    String.raw`(?<![\p{L}\p{N}]):(?=([\w+-]+):)`,
  ].join("|"),
  "giu",
);

/** What means something within a line of Markdown, and not the same without it. Addresses of the web stay as they are. */
export function escapeInline(text: string, { isLabel = false } = {}): string {
  const found = linkify.match(text) ?? [];
  const addresses = [...addressesWithScheme(text), ...found.filter(({ schema, raw }) => schema === "mailto:" || /^www\./i.test(raw))];
  const isWithin = (at: number) => addresses.some(({ index, lastIndex }) => at >= index && at < lastIndex);
  const signs = new Set<number>();
  for (const { 0: sign, 1: emoji, index } of text.matchAll(SIGNS))
    if (!isWithin(index) && isMarkup(text, sign, emoji, index)) signs.add(index);
  for (const { 1: name, index } of text.matchAll(FILE_NAME)) signs.add(index + name!.length);
  // The text of a link ends at the first bracket that has no other one.
  if (isLabel) for (const { index } of text.matchAll(/[[\]]/g)) signs.add(index);
  // Before a letter it would be shown, and keep the address from being one.
  for (const { index } of addresses) if (text[index - 1] === "\\") signs.add(index - 1);
  // Words with dots that touch such a sign are no address either.
  for (const it of found) if (!isWithin(it.index) && signs.has(it.lastIndex)) signs.add(it.index + Math.max(0, it.raw.indexOf(".")));
  // A backslash right after an address would be taken for a part of it.
  const bracketed = addresses.filter(({ schema, lastIndex }) => schema !== "" && signs.has(lastIndex));
  const opening = new Set(bracketed.map(({ index }) => index));
  const closing = new Set(bracketed.map(({ lastIndex }) => lastIndex));
  let escaped = "";
  for (let at = 0; at < text.length; at += 1)
    escaped += `${closing.has(at) ? ">" : ""}${opening.has(at) ? "<" : ""}${signs.has(at) ? "\\" : ""}${text[at]}`;
  return escaped;
}

/** A text on one line that stands between the brackets of a link. */
export const escapeLabel = (text: string): string => escapeInline(text.replace(/\s+/g, " ").trim(), { isLabel: true });

const SCHEME = /(?<![@a-z0-9.+-])(?:https?|ftp):\/\//gi;

/** As the renderer finds them: also right after signs at which a search through the whole text would not begin. */
function addressesWithScheme(text: string) {
  return Array.from(text.matchAll(SCHEME)).flatMap(({ index }) => {
    const found = linkify.matchAtStart(text.slice(index));
    return found ? [{ schema: found.schema, index, lastIndex: index + found.lastIndex }] : [];
  });
}
const LETTER = /[\p{L}\p{N}]/u;

/** A star between spaces is a star, and so is an underscore within a word. */
function isMarkup(text: string, sign: string, emoji: string | undefined, at: number): boolean {
  if (emoji !== undefined) return Object.hasOwn(nameToEmoji, emoji);
  if (sign !== "*" && sign !== "_") return true;
  const [before, after] = [text[at - 1] ?? "", text[at + 1] ?? ""];
  const isWithinWord = sign === "_" && LETTER.test(before) && LETTER.test(after);
  return !isWithinWord && !(/\s/.test(before) && /\s/.test(after));
}
