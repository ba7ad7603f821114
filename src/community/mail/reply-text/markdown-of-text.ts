// Converts the plain text of a mail to Markdown that looks the same: Markdown characters are escaped, unless
// they have the same meaning in plain mail (*emphasis*, lists, `code`, quotations, whole links).

const URL = /(?:https?:\/\/|www\.)[^\s<>"]{1,2000}/giu;

/** Applies `escape` to the text between web addresses, which stay unchanged. */
function betweenUrls(line: string, escape: (part: string) => string): string {
  let [out, at] = ["", 0];
  for (const found of line.matchAll(URL)) {
    out += escape(line.slice(at, found.index)) + found[0];
    at = found.index + found[0].length;
  }
  return out + escape(line.slice(at));
}

const SPECIAL = /[\\`*_~[|&:]/g;
/** Escapes characters only where they would be markup, because the author may edit the text later. */
const escapeAll = (part: string) =>
  part.replace(SPECIAL, (sign, at: number) => (isMarkup(part, at) ? `\\${sign}` : sign));

function isMarkup(part: string, at: number): boolean {
  const [before, sign, after] = [part[at - 1], part[at]!, part[at + 1]];
  if (sign === "\\") return after === undefined || /[!-/:-@[-`{-~]/.test(after);
  if (sign === "&") return isEntity(part, at);
  if (sign === "_") return !(isLetter(before) && isLetter(after));
  if (sign === "~" || sign === "|") return before === sign || after === sign;
  if (sign === "[") return after === "^" || before === "^" || /\](?=[(:[])/.test(part.slice(at, at + 1_000));
  if (sign === ":") return EMOJI.test(part.slice(at, at + 42));
  return true;
}

const EMOJI = /^:(?:[+-]1|[a-z0-9_+-]{0,20}[a-z][a-z0-9_+-]{0,20}):/i;
const isEntity = (part: string, at: number) =>
  /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});/i.test(part.slice(at, at + 34));
const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** Emphasis, code and written-out links keep their characters. */
const STARS = /(\*{1,2})(?=[^\s*])[^*\n]{0,300}?[^\s*]\1(?![\p{L}\p{N}*])/u;
const UNDERSCORES = /_(?=[^\s_])[^_\n]{0,300}?[^\s_]_(?![\p{L}\p{N}_])/u;
const CODE = /`[^`\n]{1,300}`(?!`)/u;
const LINK = /\[[^[\]\n]{1,300}\]\(<?(?:https?:\/\/|mailto:)[^\s()<>]{1,1000}>?\)/u;
const MARKS = [STARS, UNDERSCORES, CODE].map(({ source }) => source).join("|");
const KEPT = new RegExp(`(?<![\\p{L}\\p{N}*_\`\\\\])(?:${MARKS})|${LINK.source}`, "gu");

function escapePlain(line: string): string {
  let [out, at] = ["", 0];
  for (const found of line.matchAll(KEPT)) {
    out += betweenUrls(line.slice(at, found.index), escapeAll) + found[0];
    at = found.index + found[0].length;
  }
  return out + betweenUrls(line.slice(at), escapeAll);
}

/** Escapes a line start that would make a heading, a rule, a list, a table or a block. */
const escapeStart = (line: string) =>
  line
    .replace(/^(#{1,6})(?=\s|$)/, "\\$1")
    .replace(/^(?=(?:-+|=+)\s*$)/, "\\")
    .replace(/^(?=[-+](?:\s|$))/, "\\")
    .replace(/^(:{3,})/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^(?=\|?[\s:|-]{0,400}-[\s:|-]{0,400}$)(?=.*\|)/, "\\");

/** Escapes one line. In a line of only stars, dashes or underscores, every character is escaped. */
const lineOf = (line: string) => {
  const text = line.trimStart();
  return /^(?:[-*_]\s*){3,}$/.test(text) ? text.replace(/[-*_]/g, "\\$&") : escapeStart(escapePlain(text));
};

const BULLET = /^\s{0,8}[-*•]\s/;
const NUMBER = /^\s{0,8}(\d{1,2})[.)]\s/;

/**
 * The list marker of each line, or null. Only several items with consecutive numbers are a list: a single
 * "6. November" is not.
 */
function listMarkers(lines: string[]): (string | null)[] {
  const bullets = lines.filter((line) => BULLET.test(line)).length;
  const numbers = new Set(lines.flatMap((line) => Number(NUMBER.exec(line)?.[1] ?? -9)));
  return lines.map((line) => {
    if (bullets > 1 && BULLET.test(line)) return BULLET.exec(line)![0];
    const number = Number(NUMBER.exec(line)?.[1] ?? -5);
    return numbers.has(number + 1) || numbers.has(number - 1) ? (NUMBER.exec(line)?.[0] ?? null) : null;
  });
}

const FENCE = /^(`{3,20})\w{0,20}$/;

/** Converts lines of plain mail to Markdown that looks the same. */
export function plainLinesToMarkdown(lines: string[]): string[] {
  const markers = listMarkers(lines);
  const lastFence = new Map(
    lines.map((line, at) => [line.trim(), at] as const).filter(([text]) => /^`{3,20}$/.test(text)),
  );
  let fence: string | null = null;
  let [code, list] = [false, false];
  return lines.map((line, at) => {
    const text = line.trim();
    if (fence !== null) {
      if (text === fence) fence = null;
      return line;
    }
    const opens = FENCE.exec(text)?.[1];
    if (opens !== undefined && (lastFence.get(opens) ?? -1) > at) {
      fence = opens;
      return text;
    }
    const marker = markers[at]!;
    list = marker !== null || (list && (text === "" || /^\s/.test(line)));
    // Text indented by four spaces after an empty line is code in plain mail too.
    code = /^(?: {4}|\t)/.test(line)
      ? code || (!list && (at === 0 || lines[at - 1]!.trim() === ""))
      : code && text === "";
    if (code || text === "") return code ? line : "";
    if (marker !== null) return marker.replace("•", "-") + lineOf(line.slice(marker.length));
    return (list ? /^\s{0,8}/.exec(line)![0] : "") + lineOf(line);
  });
}

/** Escapes all Markdown characters of text from HTML, because its formatting is in the elements. */
export const escapeMarkdownWords = (words: string): string =>
  betweenUrls(words, (part) => escapeAll(part).replace(/(?<!\\)\[/g, "\\[")).replace(
    /^(\s*)([-+>#=]|:{3,}|\d{1,9}(?=[.)]))/gm,
    (_, space: string, sign: string) => (/\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`),
  );
