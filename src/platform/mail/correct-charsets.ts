import { detectCharset, decodeMailText } from "./charsets.ts";

/**
 * Returns the mail with correct charset labels and UTF-8 headers, because mail parsers trust labels. All
 * other bytes stay unchanged. Works on `latin1` strings, in which each byte is one character.
 */
export function correctCharsets(raw: Buffer): Buffer {
  const text = raw.toString("latin1");
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const boundaries = new Set<string>();
  const out: string[] = [];
  let at = 0;
  let isHead = true;
  while (at < text.length) {
    if (!isHead) {
      const next = findNextPart(text, at, boundaries);
      out.push(text.slice(at, next));
      at = next;
      isHead = true;
      continue;
    }
    const end = findHeadEnd(text, at);
    const head = text.slice(at, end);
    for (const [, quoted, bare] of head.matchAll(/boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi))
      boundaries.add((quoted ?? bare)!);
    const body = text.slice(end, findNextPart(text, end, boundaries));
    out.push(correctHead(head, body, lineEnd));
    at = end;
    isHead = false;
  }
  return Buffer.from(out.join(""), "latin1");
}

/** End of the empty line after a header block. */
function findHeadEnd(text: string, from: number): number {
  const blank = /\r?\n\r?\n/g;
  blank.lastIndex = Math.max(0, from - 2);
  const found = blank.exec(text);
  return found ? blank.lastIndex : text.length;
}

/** Finds the start of the next header block: after a boundary that an earlier header named. */
function findNextPart(text: string, from: number, boundaries: Set<string>): number {
  const line = /(?:^|\n)--([^\r\n]{1,200})\r?\n/g;
  line.lastIndex = Math.max(0, from - 1);
  for (let found = line.exec(text); found; found = line.exec(text)) {
    if (boundaries.has(found[1]!.trimEnd()) && found.index + 1 >= from) return line.lastIndex;
    line.lastIndex = found.index + found[0].length - 1;
  }
  return text.length;
}

function correctHead(head: string, body: string, lineEnd: string): string {
  const type = /^content-type:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)/im.exec(head);
  const unicode = toUnicodeHead(head);
  if (type && !/^\s*text\//i.test(type[1]!)) return unicode;
  const label = /charset\*?\s*=\s*("[^"]{0,80}"|[^\s;]{0,80})/i.exec(type?.[1] ?? "")?.[1];
  const encoding = /^content-transfer-encoding:\s*([\w-]+)/im.exec(head)?.[1]?.toLowerCase() ?? "";
  const charset = detectCharset(decodeBody(body.slice(0, 2_000_000), encoding), label);
  const named = (label ?? "").replace(/"/g, "").toLowerCase();
  if (named === charset || (!/[\x80-\xff]/.test(body) && label === undefined && encoding === ""))
    return unicode;
  if (!type) return `Content-Type: text/plain; charset=${charset}${lineEnd}${unicode}`;
  const bare = type[1]!
    .replace(/;\s*charset\*?\s*=\s*(?:"[^"]{0,80}"|[^\s;]{0,80})/i, "")
    .replace(/\s+$/, "");
  return unicode.replace(
    /^(content-type:)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im,
    () => `Content-Type:${toUnicodeHead(bare)}; charset=${charset}`,
  );
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(body.replace(/[^A-Za-z0-9+/]/g, ""), "base64");
  if (encoding !== "quoted-printable") return Buffer.from(body, "latin1");
  const whole = body.replace(/=[ \t]*\r?\n/g, "");
  return Buffer.from(
    whole.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

const ENCODED_WORD_RUN =
  /=\?([^?\s]{1,80})\?([qb])\?([^?\r\n]{0,2000})\?=(?:(?:[ \t]|\r?\n[ \t])+=\?\1\?\2\?[^?\r\n]{0,2000}\?=)*/gi;

/**
 * Converts a header block to UTF-8: raw characters unchanged, encoded words in their real charset, joined
 * where a character was split.
 */
function toUnicodeHead(head: string): string {
  const joined = head.replace(ENCODED_WORD_RUN, (run: string, label: string) => {
    const bytes = Buffer.concat(
      [...run.matchAll(/=\?[^?\s]{1,80}\?([qb])\?([^?\r\n]{0,2000})\?=/gi)].map(([, encoding, word]) =>
        decodeWord(encoding!, word!),
      ),
    );
    return encodeWords(decodeMailText(bytes, label));
  });
  return joined.replace(/[\x80-\xff][^\r\n]*/g, (letters) =>
    Buffer.from(decodeMailText(Buffer.from(letters, "latin1"), undefined)).toString("latin1"),
  );
}

const decodeWord = (encoding: string, word: string): Buffer =>
  encoding.toLowerCase() === "b"
    ? Buffer.from(word.replace(/[^A-Za-z0-9+/]/g, ""), "base64")
    : decodeBody(word.replaceAll("_", " "), "quoted-printable");

const encodeWords = (text: string): string =>
  (text.match(/.{1,15}/gsu) ?? [])
    .map((part) => `=?utf-8?B?${Buffer.from(part).toString("base64")}?=`)
    .join(" ");
