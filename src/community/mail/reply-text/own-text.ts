import { entriesOf } from "#platform/objects";
import { LANGUAGES, mailMessagesFor } from "../messages/index.ts";
import {
  quoteIntroductionAt,
  isHeaderLine,
  canIntroduceQuote,
  type Line,
  splitAttribution,
} from "./quote-introductions.ts";
import { findReplyMark } from "./reply-mark.ts";
import { removeSignature } from "./signatures.ts";
import { SEPARATOR_RULE, SEPARATOR } from "./vocabulary.ts";
import { type Format, toReplyMarkdown, QUOTE_SIGNS, type Segment } from "./reply-markdown.ts";

/** Private-use characters that mark the lines of an HTML mail according to their elements. */
export const LINE_MARKERS = { introduction: "\ue000", quoted: "\ue001", restQuoted: "\ue002" } as const;

export type ReplyText = {
  /** The author's own text, as Markdown. */
  text: string;
  /** The same text as `text`, without escapes. */
  asWritten: string;
  /**
   * Text dropped as an unmarked quotation although none of our mails contains it. It is mailed back to the
   * author.
   */
  leftOut: string;
};

export type Context = {
  /** The code in the mail of ours that is answered; null if unknown. */
  code: string | null;
  /** Name of the community. Our mails begin with it. */
  community?: string;
  /** Whether a line is from one of our mails or from earlier texts of the discussion or conversation. */
  isKnown?: (line: string) => boolean;
};

const MOST_LETTERS = 200_000;

/** Extracts the author's own text from plain text, or from Markdown made of HTML. */
export function extractReply(given: string, format: Format, context: Context): ReplyText {
  const lines = linesOf(given, format);
  const kinds = classify(lines, context);
  const rest = lines.filter((_, at) => kinds[at] === "rest");
  const { rescued, leftOut } = sortOut(rest, context);
  const segments = segmentsOf(lines, kinds, context);
  if (rescued.length > 0) segments.push({ kind: "own", lines: removeSignature(rescued) });
  return {
    text: toReplyMarkdown(segments, format),
    asWritten: toReplyMarkdown(segments, "markdown"),
    leftOut: leftOut
      .map(({ text }) => text)
      .join("\n")
      .slice(0, 20_000),
  };
}

const INVISIBLE = /[\u200b\u2060\ufeff]/g;
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function linesOf(given: string, format: Format): Line[] {
  const whole = given.slice(0, MOST_LETTERS).replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
  const split = format === "plain" ? whole.split("\n").flatMap(splitAttribution) : whole.split("\n");
  return split.map((signed) => {
    const sign = entriesOf(LINE_MARKERS).find(([, it]) => signed.includes(it))?.[0] ?? null;
    const raw = signed.replace(/[\ue000-\ue002]/g, "");
    const [all = "", prefix = ""] = QUOTE_SIGNS.exec(raw) ?? [];
    const bare = raw
      .slice(all.length)
      .replace(/[\u00a0\u2007\u202f]/g, " ")
      .replace(DIRECTIONS, "");
    const text = format === "markdown" ? bare.replace(/\\(?=[^\w\s])/g, "").replace(/\*\*|~~/g, "") : bare;
    // Stars around a header name are removed, because some programs write them in plain text too.
    const unstarred = text.trim().replace(/^\*([^*]{1,40}[:：])\*/, "$1");
    return { raw, text: unstarred, depth: (prefix.match(/>/g) ?? []).length, sign };
  });
}

/** `rest`: a quotation without quote marks, such as everything below an introduction. */
type Kind = "own" | "quote" | "introduction" | "rest";

function classify(lines: Line[], context: Context): Kind[] {
  const kinds = lines.map(kindBySign);
  for (let at = 0; at < lines.length; at++) {
    if (kinds[at] === "rest") continue;
    const found =
      kinds[at] === "introduction"
        ? { to: at }
        : lines[at]!.sign === "restQuoted"
          ? { to: at }
          : quoteIntroductionAt(lines, at);
    if (!found) continue;
    kinds.fill("introduction", at, found.to + 1);
    at = found.to;
    let next = at + 1;
    while (next < lines.length && lines[next]!.text === "" && lines[next]!.depth === 0) next++;
    const quoted =
      next >= lines.length ||
      lines[next]!.depth > 0 ||
      kinds[next] !== "own" ||
      quoteIntroductionAt(lines, next) !== null;
    if (quoted && lines[at]!.sign !== "restQuoted") continue;
    restFrom(lines, kinds, at + 1);
    break;
  }
  return withMark(lines, kinds, context);
}

const kindBySign = ({ depth, sign }: Line): Kind =>
  depth > 0 ? "quote" : sign === "quoted" ? "rest" : sign === "introduction" ? "introduction" : "own";

/**
 * Marks all lines from `from` on as quotation. Lines with `>` are dropped like introductions, without
 * checking their text.
 */
function restFrom(lines: Line[], kinds: Kind[], from: number) {
  for (let at = from; at < lines.length; at++)
    if (kinds[at] !== "introduction") kinds[at] = lines[at]!.depth > 0 ? "introduction" : "rest";
}

/**
 * Marks everything below the code of our mail as quotation, and also the introduction that the mail program
 * put above it.
 */
function withMark(lines: Line[], kinds: Kind[], { code, community }: Context): Kind[] {
  const [mark] =
    code === null
      ? []
      : findReplyMark(
          lines.map(({ text }) => text),
          code,
        );
  if (mark === undefined || lines[mark]!.depth > 0 || kinds[mark] === "rest") return kinds;
  const isChrome = ({ text }: Line) =>
    text === "" ||
    text === community ||
    text.includes("\u200c") ||
    SEPARATOR_RULE.test(text) ||
    SEPARATOR.test(text) ||
    /^\[?(?:image|cid)\b.{0,100}$/i.test(text);
  let from = mark - brokenLines(lines, mark);
  while (from > 0 && kinds[from - 1] === "own" && isChrome(lines[from - 1]!)) from--;
  let start = from;
  while (start > 0 && kinds[start - 1] === "own" && lines[start - 1]!.text !== "" && from - start < 10)
    start--;
  // Finds the shortest end of the paragraph that may be an introduction in any language.
  for (let at = from - 1; at >= start; at--)
    if (
      canIntroduceQuote(lines.slice(at, from).map(({ text }) => text)) &&
      (at === start || !canIntroduceQuote(lines.slice(at - 1, from).map(({ text }) => text)))
    ) {
      from = at;
      break;
    }
  kinds.fill("introduction", from, mark + 1);
  restFrom(lines, kinds, mark + 1);
  return kinds;
}

const ANSWER_LINES = LANGUAGES.map((language) => mailMessagesFor(language).words.answerLine.toLowerCase());

/**
 * Number of lines above the code that belong to the same sentence. The mail program may have wrapped or
 * translated it.
 */
function brokenLines(lines: Line[], mark: number): number {
  const above = lines[mark - 1];
  if (above === undefined || above.text === "" || above.depth > 0) return 0;
  const [first, whole] = [above.text.toLowerCase(), lines[mark]!.text.toLowerCase()];
  if (ANSWER_LINES.some((line) => whole.includes(line))) return 0;
  return ANSWER_LINES.some((line) => line.startsWith(first)) || !/[.!?…。؟:]$/.test(first) ? 1 : 0;
}

/**
 * Minimum share of known lines in an unmarked quotation at which its unknown lines count as the author's own
 * text.
 */
const KNOWN_SHARE = 0.6;

/**
 * Finds lines in an unmarked quotation that our mails never contained. If most of the quotation is from our
 * mails, these lines are the author's own text (`rescued`); otherwise the author gets them back by mail
 * (`leftOut`).
 */
function sortOut(rest: Line[], { code, isKnown }: Context): { rescued: Line[]; leftOut: Line[] } {
  const isFrame = ({ text }: Line) =>
    !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text) ||
    (code !== null && findReplyMark([text], code).length > 0) ||
    canIntroduceQuote([text]) ||
    isHeaderLine(text);
  const content = rest.filter((line) => !isFrame(line));
  const unknown = content.filter(({ text }) => !isKnown?.(text));
  if (1 - lengthOf(unknown) / Math.max(1, lengthOf(content)) < KNOWN_SHARE)
    return { rescued: [], leftOut: unknown };
  const keep = new Set(unknown);
  return {
    rescued: rest.filter((line, at) => keep.has(line) || (line.text === "" && keep.has(rest[at - 1]!))),
    leftOut: [],
  };
}

const lengthOf = (lines: Line[]) => lines.reduce((sum, { text }) => sum + text.length, 0);

/**
 * Splits the lines into alternating own text and quotations. A quotation is kept only if own text follows
 * it.
 */
function segmentsOf(lines: Line[], kinds: Kind[], context: Context): Segment[] {
  const found: Segment[] = [];
  lines.forEach((line, at) => {
    const kind = kinds[at]!;
    if (kind === "rest" || kind === "introduction") return;
    const last = found.at(-1);
    const followsIntroduction = kinds[at - 1] === "introduction";
    if (
      last &&
      !(followsIntroduction && kind === "own") &&
      (last.kind === kind || (kind === "own" && line.text === ""))
    )
      last.lines.push(line);
    else found.push({ kind, lines: [line] });
  });
  const marked =
    context.code === null
      ? new Set<number>()
      : new Set(
          found.flatMap((segment, n) =>
            findReplyMark(
              segment.lines.map(({ text }) => text),
              context.code!,
            ).length > 0
              ? [n]
              : [],
          ),
        );
  const trimmed = found.map((segment, n): Segment => {
    if (segment.kind === "own") return { kind: "own", lines: removeSignature(segment.lines) };
    return marked.has(n) ? { kind: "quote", lines: answeredPart(segment.lines) } : segment;
  });
  const lastOwn = trimmed.findLastIndex(
    (it) => it.kind === "own" && it.lines.some(({ text }) => text !== ""),
  );
  return trimmed.slice(0, lastOwn + 1);
}

/**
 * If our whole mail is quoted, keeps only the paragraph right above the answer. Keeps nothing if that
 * paragraph is the end of our mail, which has a link.
 */
function answeredPart(lines: Line[]): Line[] {
  const isEnd = ({ text }: Line) => /https?:\/\//.test(text);
  let end = lines.length;
  while (end > 0 && lines[end - 1]!.text === "") end--;
  if (end > 0 && isEnd(lines[end - 1]!)) return [];
  let start = end;
  while (start > 0 && lines[start - 1]!.text !== "" && end - start < 20) start--;
  const paragraph = lines.slice(start, end);
  // Our mails quote people's texts below their names. Only the text with the deepest quote level is kept.
  const deepest = Math.max(0, ...paragraph.map(({ depth }) => depth));
  return paragraph
    .filter(({ depth }) => depth === deepest)
    .map((line) => ({ ...line, raw: line.raw.replace(QUOTE_SIGNS, "> "), depth: 1 }));
}
