import { Fragment, type Mark, type Node } from "prosemirror-model";
import { type InlineContext, isInWord, parseInline } from "./inline-parser.ts";
import { schema } from "./schema.ts";
import { Unsupported } from "./unsupported.ts";

const { marks } = schema;
type Segment = { node: Node; marks: readonly Mark[]; isBlank: boolean };
type Piece = { kind: "text" | "fixed" | "open" | "close"; written: string; mark?: Mark };
/** How much is escaped: nothing, backslashes, all but web addresses, or everything. */
const ESCAPES = ["none", "backslashes", "text", "all"] as const;
type Style = { escapes: (typeof ESCAPES)[number]; em: "*" | "_" };
const STYLES: Style[] = ESCAPES.flatMap((escapes) => [
  { escapes, em: "*" },
  { escapes, em: "_" },
]);

/**
 * Writes the content of a paragraph or heading as Markdown. It escapes only as much as is needed to read the
 * same content again.
 */
export function serializeInline(content: Fragment, context: InlineContext, oneLine: boolean): string {
  const segments = trimSegments(splitSegments(content, oneLine));
  const wanted = Fragment.from(segments.map(({ node, marks: own }) => node.mark(own)));
  const all = STYLES.map((style) => () => write(segments, style, oneLine));
  for (const attempt of all) {
    const written = attempt();
    if (isSame(written, wanted, context)) return written;
  }
  return all.at(-2)!();
}

function isSame(written: string, wanted: Fragment, context: InlineContext): boolean {
  try {
    return Fragment.from(parseInline(written, context)).eq(wanted);
  } catch (error) {
    if (error instanceof Unsupported) return false;
    throw error;
  }
}

/** Splits texts at white space, so that marks can be taken off the blanks at their ends. */
function splitSegments(content: Fragment, oneLine: boolean): Segment[] {
  const segments: Segment[] = [];
  content.forEach((child) => {
    if (child.type === schema.nodes.hard_break && oneLine)
      return void segments.push({ node: schema.text(" "), marks: [], isBlank: true });
    if (!child.isText || marks.code.isInSet(child.marks) || marks.raw.isInSet(child.marks))
      return void segments.push({
        node: child,
        marks: child.marks,
        isBlank: child.type === schema.nodes.hard_break,
      });
    for (const part of (child.text ?? "").split(/(\s+)/).filter(Boolean)) {
      const isBlank = part.trim() === "";
      const text = isBlank ? part.replace(/[\n\r]+/g, " ") : part;
      segments.push({ node: schema.text(text), marks: child.marks, isBlank });
    }
  });
  return segments;
}

/** Takes marks off the blanks at their ends, and removes blanks at the ends of lines. */
function trimSegments(segments: Segment[]): Segment[] {
  for (const type of [marks.strong, marks.em, marks.strike, marks.spoiler])
    for (const blanks of [segments, segments.toReversed()]) {
      let isInside = false;
      for (const it of blanks) {
        const has = type.isInSet(it.marks);
        if (has && it.isBlank && !isInside) it.marks = type.removeFromSet(it.marks);
        else isInside = has !== undefined;
      }
    }
  const isBreak = (it: Segment | undefined) => it === undefined || it.node.type === schema.nodes.hard_break;
  const kept = segments.filter(
    (it, at) =>
      !it.isBlank ||
      isBreak(it) ||
      (!isBreak(segments[at - 1]) && !isBreak(segments[at + 1])) ||
      /[^ ]/.test(it.node.text ?? ""),
  );
  while (kept.length > 0 && isBreak(kept.at(-1))) kept.pop();
  return kept;
}

function write(segments: Segment[], style: Style, oneLine: boolean): string {
  const pieces = writeRuns(segments, style, false);
  protectFlanks(pieces);
  const written = pieces.map((it) => it.written).join("");
  return oneLine
    ? written.replace(/(^|\s)(#+)$/, "$1\\$2")
    : written.split("\n").map(escapeLineStart).join("\n");
}

const ORDER = [marks.spoiler, marks.link, marks.em, marks.strong, marks.strike];

/** Writes the longest run of a mark first, so that marks are nested. */
function writeRuns(segments: Segment[], style: Style, isHidden: boolean): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < segments.length;) {
    const { mark, length } = findLongestMark(segments, at);
    if (!mark) {
      pieces.push(writeSegment(segments[at]!, style, isHidden, pieces.at(-1)));
      at += 1;
      continue;
    }
    const run = segments.slice(at, at + length).map((it) => ({ ...it, marks: mark.removeFromSet(it.marks) }));
    const [open, close] = delimitersOf(mark, style);
    pieces.push(
      { kind: "open", written: open, mark },
      ...writeRuns(run, style, isHidden || mark.type === marks.spoiler),
      { kind: "close", written: close, mark },
    );
    at += length;
  }
  return pieces;
}

function findLongestMark(segments: Segment[], at: number): { mark?: Mark; length: number } {
  let found: { mark?: Mark; length: number } = { length: 0 };
  for (const type of ORDER) {
    const mark = type.isInSet(segments[at]!.marks);
    if (!mark) continue;
    let end = at + 1;
    while (end < segments.length && mark.isInSet(segments[end]!.marks)) end += 1;
    if (end - at > found.length) found = { mark, length: end - at };
  }
  return found;
}

function delimitersOf({ type, attrs }: Mark, { em }: Style): [string, string] {
  if (type === marks.strong) return ["**", "**"];
  if (type === marks.em) return [em, em];
  if (type === marks.strike) return ["~~", "~~"];
  if (type === marks.spoiler) return ["||", "||"];
  const address = /^[^\s()]*$/.test(String(attrs["href"])) ? String(attrs["href"]) : `<${attrs["href"]}>`;
  return ["[", `](${address}${attrs["title"] ? ` ${attrs["title"]}` : ""})`];
}

function writeSegment(
  { node, marks: own }: Segment,
  { escapes }: Style,
  isHidden: boolean,
  before: Piece | undefined,
): Piece {
  if (node.type === schema.nodes.hard_break)
    return { kind: "fixed", written: before && !before.written.endsWith("\n") ? "\n" : "\\\n" };
  if (node.type === schema.nodes.image) {
    const { src, alt, title } = node.attrs;
    return { kind: "fixed", written: `![${alt}](${src}${title ? ` ${title}` : ""})` };
  }
  const text = node.text ?? "";
  if (marks.raw.isInSet(own)) return { kind: "fixed", written: text };
  if (marks.code.isInSet(own) && !(isHidden && text.includes("||")))
    return { kind: "fixed", written: writeCode(text) };
  // After a mark of a footnote, a bracket would make it a link.
  const isAddress = before?.kind === "fixed" && before.written.endsWith("]") && text.startsWith("(");
  const escaped = `${isAddress ? "\\" : ""}${escapeText(text, escapes)}`;
  return { kind: "text", written: isHidden ? escapeBars(escaped) : escaped };
}

const escapeBars = (text: string) => text.replace(/(?<!\\)\|/g, "\\|");

function writeCode(text: string): string {
  const runs = new Set((text.match(/`+/g) ?? []).map(({ length }) => length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const gap = /^`|`$|^ .*\S.* $/.test(text) ? " " : "";
  return `${fence}${gap}${text}${gap}${fence}`;
}

const ADDRESS = /((?:https?:\/\/|ftp:\/\/|www\.)\S+)/i;
const SIGNS = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-\x60{-~]|$)`,
    String.raw`[*\x60[\]]`,
    String.raw`(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])`,
    String.raw`~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\|`,
    String.raw`<(?=[\w.])|&(?=#?\w)`,
  ].join("|"),
  "giu",
);

const SIGNS_BEFORE_ADDRESS = new RegExp(`(?:${SIGNS.source})(?!$)`, SIGNS.flags);

function escapeText(text: string, escapes: Style["escapes"]): string {
  if (escapes === "none") return text;
  if (escapes === "backslashes") return text.replaceAll("\\", "\\\\");
  const parts = text.split(ADDRESS);
  return parts
    .map((part, at) => {
      if (escapes === "all") return part.replace(SIGNS, "\\$&");
      // A backslash in an address, or directly before one, would break it.
      if (at % 2 === 1) return part;
      return part.replace(at + 1 < parts.length ? SIGNS_BEFORE_ADDRESS : SIGNS, "\\$&");
    })
    .join("");
}

/** Escapes the beginning of a line where it would be a heading, list, quotation, table or block. */
function escapeLineStart(line: string, at: number): string {
  if (/^\d{1,9}[.)](\s|$)/.test(line)) return line.replace(/[.)]/, "\\$&");
  return /^(#{1,6}(\s|$)|>|[-+*](\s|$)|={1,}\s*$|([-*_])(\s*\4){2,}\s*$|~~~|:::|\[[^\]]+\]:)/.test(line) ||
    /^`{3,}[^`]*$/.test(line) ||
    (at > 0 && /^(?=.*-)[|:\-\s]+$/.test(line))
    ? `\\${line}`
    : line;
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
const isOpenSide = (sign: string | undefined) =>
  sign === undefined || /\s/.test(sign) || PUNCTUATION.test(sign);

/**
 * A delimiter with punctuation inside and a letter outside would not be one. The letter is then written as an
 * entity, which counts as punctuation.
 */
function protectFlanks(pieces: Piece[]): void {
  for (const [at, { kind, mark }] of pieces.entries()) {
    if (!mark || mark.type === marks.link || (kind !== "open" && kind !== "close")) continue;
    const by = kind === "open" ? -1 : 1;
    const [outside, inside] = [pieces[at + by], pieces[at - by]];
    const edge = (it: Piece | undefined, isEnd: boolean) => {
      const signs = Array.from(it?.written ?? "");
      return isEnd ? signs.at(-1) : signs[0];
    };
    const sign = edge(outside, by === -1);
    if (outside?.kind !== "text" || sign === undefined) continue;
    if (sign === "|" && mark.type === marks.spoiler) {
      outside.written = by === -1 ? outside.written.replace(/\\?\|$/, "\\|") : `\\${outside.written}`;
      continue;
    }
    if (isOpenSide(sign)) continue;
    const isBlocked =
      mark.type === marks.spoiler ? isInWord(sign) : PUNCTUATION.test(edge(inside, by === 1) ?? "a");
    if (!isBlocked) continue;
    const entity = `&#${sign.codePointAt(0)};`;
    outside.written =
      by === -1
        ? outside.written.slice(0, -sign.length) + entity
        : entity + outside.written.slice(sign.length);
  }
}
