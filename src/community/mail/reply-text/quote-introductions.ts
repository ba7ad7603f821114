import {
  FORWARD_MARKERS,
  type HeaderKind,
  findHeaderKind,
  SEPARATOR_RULE,
  SEPARATOR,
  ATTRIBUTION_VERB,
} from "./vocabulary.ts";

/** A line of a mail. `text` has no quote signs, no Markdown marks and no surrounding space. */
export type Line = {
  raw: string;
  text: string;
  /** Number of `>` signs before the line. */
  depth: number;
  /** Meaning of the marker character that was put before the line of an HTML mail. */
  sign: "introduction" | "quoted" | "restQuoted" | null;
};

/**
 * The range of lines that introduce a quotation. After a `strong` introduction the quotation needs no `>`.
 */
export type QuoteIntroduction = { from: number; to: number; strong: boolean };

/** Longer lines are never an introduction. */
const LONGEST = 400;
const MOST_LINES = 4;

const ADDRESS = /[\w.+%-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}/;
const arabicDigits = (text: string) =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0)! & 0xf) % 10));

/** A day with its year, in numbers or with the month's name. */
const hasDate = (text: string) =>
  /\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}|\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}/.test(text) ||
  (/(?<!\d)(?:19|20)\d\d(?!\d)/.test(text) &&
    /(?<!\d)\d{1,2}(?!\d)/.test(text.replace(/\d{1,2}[:.]\d{2}(?:[:.]\d{2})?/g, "")));
const hasTime = (text: string) => /(?<!\d)\d{1,2}\s?[:.h：時时]\s?\d{2}(?!\d)/.test(text);

const isBlank = (line: Line | undefined) => line !== undefined && line.text === "";
const isOwnKind = (line: Line | undefined): line is Line => line !== undefined && line.depth === 0;

/** Whether the next line that is not empty is quoted with `>`. */
function isQuoteNext(lines: Line[], at: number): boolean {
  let next = at;
  while (next < lines.length && lines[next]!.depth === 0 && lines[next]!.text === "") next++;
  return next < lines.length && lines[next]!.depth > 0;
}

/**
 * The introduction that begins with this line: a phrase between dashes, a header block, or an attribution
 * (who wrote when). An attribution needs an address or a date, because the author's own sentences end in
 * colons too.
 */
export function quoteIntroductionAt(lines: Line[], at: number): QuoteIntroduction | null {
  const line = lines[at]!;
  if (line.depth > 0 || line.text === "" || line.text.length > LONGEST) return null;
  const separated = separatorAt(lines, at);
  if (separated) return separated;
  return headAt(lines, at, false) ?? attributionAt(lines, at);
}

function separatorAt(lines: Line[], at: number): QuoteIntroduction | null {
  const { text } = lines[at]!;
  const phrase = SEPARATOR.test(text) || FORWARD_MARKERS.test(text);
  if (!phrase && !SEPARATOR_RULE.test(text)) return null;
  let next = at + 1;
  while (isOwnKind(lines[next]) && isBlank(lines[next])) next++;
  const after =
    next < lines.length && next - at < 4 ? (headAt(lines, next, true) ?? attributionAt(lines, next)) : null;
  if (after) return { from: at, to: after.to, strong: true };
  return phrase ? { from: at, to: at, strong: true } : null;
}

const HEAD_LINE = /^([\p{L}\p{M} .'’()-]{1,24}?)\s{0,3}[:：]\s{0,3}(.*)$/u;

/** A block of `From:`, `Sent:`, `To:` and `Subject:` in any order and any known language. */
function headAt(lines: Line[], at: number, separated: boolean): QuoteIntroduction | null {
  const kinds = new Map<HeaderKind, string>();
  let to = at;
  for (let n = at; n < lines.length && n < at + 14; n++) {
    const line = lines[n]!;
    if (line.depth > 0 || line.text === "" || line.text.length > LONGEST) break;
    const [, name = "", value = ""] = HEAD_LINE.exec(line.text) ?? [];
    const kind = findHeaderKind(name);
    // The value of a header can continue on the next line.
    const goesOn =
      kinds.size > 0 && kind === undefined && lines[n + 1]?.depth === 0 && isHeaderLine(lines[n + 1]!.text);
    if (kind === undefined && !goesOn) break;
    if (kind !== undefined) kinds.set(kind, kinds.get(kind) ?? value);
    to = n;
  }
  if (
    !kinds.has("from") ||
    kinds.size < 2 ||
    findHeaderKind(HEAD_LINE.exec(lines[at]!.text)?.[1] ?? "") === undefined
  )
    return null;
  const block = lines.slice(at, to + 1).map(({ text }) => text);
  const addressed = block.some((text) => ADDRESS.test(text));
  const whole = kinds.has("subject") && kinds.size >= 3;
  const dated = kinds.has("date");
  if (separated ? dated || kinds.has("subject") : addressed ? dated || kinds.has("subject") : whole)
    return { from: at, to, strong: true };
  return null;
}

/** Whether a line is a header with a known name. */
export const isHeaderLine = (text: string): boolean =>
  findHeaderKind(HEAD_LINE.exec(text.slice(0, LONGEST))?.[1] ?? "") !== undefined;

/**
 * Matches the end of an attribution: a colon, the dashes of Zoho, or an address, as in "2026/11/6 Lindenhof
 * <…>".
 */
const ENDS = /(?:[:：﹕]|-{3,}|>)$/;

/**
 * Finds an attribution such as "On Fri, 6 Nov 2026 at 13:30, Lindenhof <…> wrote:", over one to four lines.
 */
function attributionAt(lines: Line[], at: number): QuoteIntroduction | null {
  for (let to = at; to < lines.length && to < at + MOST_LINES; to++) {
    const line = lines[to]!;
    if (line.depth > 0 || line.text === "" || line.text.length > LONGEST) return null;
    if (!ENDS.test(line.text) || attributionStart(lines, to) !== at) continue;
    const apart =
      at === 0 || isBlank(lines[at - 1]) || lines[at - 1]!.depth > 0 || /^ {2,}\S/.test(lines[at]!.raw);
    const strong = apart && attributionStrength(joinedFrom(lines, at, to)) === "strong";
    if (strong || isQuoteNext(lines, to + 1)) return { from: at, to, strong };
  }
  return null;
}

const joinedFrom = (lines: Line[], from: number, to: number) =>
  lines
    .slice(from, to + 1)
    .map(({ text }) => text)
    .join(" ");

/**
 * Index of the first line of the attribution that ends in line `to`. The lines above it may be the author's
 * own.
 */
function attributionStart(lines: Line[], to: number): number | null {
  const earliest = Math.max(0, to - MOST_LINES + 1);
  const canJoin = (at: number) => at >= earliest && lines[at]!.depth === 0 && lines[at]!.text !== "";
  let from = to;
  while (attributionStrength(joinedFrom(lines, from, to)) === null) if (!canJoin(--from)) return null;
  for (; canJoin(from - 1); from--) {
    const [joined, above] = [arabicDigits(joinedFrom(lines, from, to)), arabicDigits(lines[from - 1]!.text)];
    const completes =
      (!ADDRESS.test(joined) && ADDRESS.test(above)) ||
      (!hasDate(joined) && hasDate(above)) ||
      above.endsWith("<");
    if (!completes) break;
  }
  return from;
}

function attributionStrength(text: string): "strong" | "weak" | null {
  const sentence = arabicDigits(text);
  if (sentence.length > LONGEST * 2 || !ENDS.test(sentence)) return null;
  const [wrote, address] = [ATTRIBUTION_VERB.test(sentence), ADDRESS.test(sentence)];
  const [date, time] = [hasDate(sentence), hasTime(sentence)];
  if (sentence.endsWith(">")) return address && date ? "weak" : null;
  if (address ? wrote || date : wrote && date && time) return "strong";
  return (wrote && date) || (date && time) ? "weak" : null;
}

/** Whether these lines may introduce a quotation in an unknown language. */
export function canIntroduceQuote(texts: string[]): boolean {
  const joined = arabicDigits(texts.join(" "));
  if (joined.length > 900) return false;
  const heads = texts.filter((text) => HEAD_LINE.test(text)).length;
  const hasSource = ADDRESS.test(joined) || hasDate(joined);
  return (
    hasSource &&
    ((texts.length <= MOST_LINES && ENDS.test(joined)) || (heads >= 2 && heads >= texts.length / 2))
  );
}

/**
 * Splits a line of Yahoo's phone app, which puts the attribution and the start of the quotation on one line.
 */
export function splitAttribution(raw: string): string[] {
  const [, attribution, quoted] =
    /^(\s{1,8}\S[^@]{5,200}@[^:]{3,200}(?:\s[^:]{1,40})?[:：])\s{2,}(\S.*)$/.exec(raw.slice(0, 5_000)) ?? [];
  return attribution !== undefined && attributionStrength(attribution.trim()) === "strong"
    ? [attribution, quoted + raw.slice(5_000)]
    : [raw];
}
