import PostalMime, { type Email } from "postal-mime";
import { readPrivateField } from "#platform/objects";
import { decodeMailText } from "./charsets.ts";

// Parses mails. The library trusts labels; here the bytes decide first (`decodeMailText`), in texts and
// headers.

/** Fields of a part that exist in the library but not in its types. */
type MimePart = {
  contentType: { parsed: { value: string; params: Record<string, string> } };
  contentDisposition: { parsed: { value: string } };
  content: ArrayBuffer | null;
  childNodes: MimePart[];
};

/** Parses a mail (the bytes of RFC 5322). Throws for parts nested deeper than `maxNestingDepth`. */
export function parseMail(raw: Uint8Array, { maxNestingDepth = 50 } = {}): Promise<Email> {
  const parser = new PostalMime({ maxNestingDepth });
  // When the last line is read, all parts have their bytes; the library assembles their texts afterwards.
  const finalize = readPrivateField<() => Promise<void>>(parser, "finalize").bind(parser);
  Object.assign(parser, {
    async finalize() {
      await finalize();
      decodeParts(readPrivateField<MimePart>(parser, "root"));
    },
  });
  return parser.parse(decodeHeaders(Buffer.from(raw)));
}

function decodeParts(part: MimePart): void {
  const { parsed } = part.contentType;
  const isAttachment = part.contentDisposition.parsed.value === "attachment";
  if (part.content && /^text\/(?:plain|html)$/.test(parsed.value) && !isAttachment) {
    part.content = toArrayBuffer(
      Buffer.from(decodeMailText(new Uint8Array(part.content), parsed.params["charset"])),
    );
    parsed.params["charset"] = "utf-8";
  }
  if (part.content && parsed.value === "message/rfc822")
    part.content = toArrayBuffer(decodeHeaders(Buffer.from(part.content)));
  part.childNodes.forEach(decodeParts);
}

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

const HEADER_END = /\r?\n\r?\n/;
const WORD = String.raw`=\?[^?\s]{1,60}\?[bq]\?[^?\r\n]*\?=`;
/** Consecutive encoded words (RFC 2047), with or without white space between them. */
const ENCODED_WORDS = new RegExp(`${WORD}(?:\\s*${WORD})*`, "gi");
const ENCODED_WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?\r\n]*)\?=/gi;

/**
 * Returns the mail with headers in UTF-8: raw letters of other encodings are converted, as are encoded words
 * with wrong labels or split characters.
 */
function decodeHeaders(raw: Buffer): Buffer {
  const text = raw.subarray(0, 200_000).toString("latin1");
  const end = HEADER_END.exec(text)?.index ?? text.length;
  const head = text.slice(0, end);
  if (!/[\x80-\xFF]|=\?/.test(head)) return raw;
  const charset = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*?charset="?([\w.:*-]+)/im.exec(head)?.[1];
  const decoded = head
    .split("\n")
    .map((line) => (/[\x80-\xFF]/.test(line) ? decodeMailText(Buffer.from(line, "latin1"), charset) : line))
    .join("\n")
    .replace(
      ENCODED_WORDS,
      (words) => `=?utf-8?B?${Buffer.from(decodeEncodedWords(words)).toString("base64")}?=`,
    );
  return Buffer.concat([Buffer.from(decoded), raw.subarray(end)]);
}

/**
 * A character may be split over two words, so the bytes of consecutive words with the same label are decoded
 * together.
 */
function decodeEncodedWords(words: string): string {
  const runs: { charset: string; bytes: Buffer[] }[] = [];
  for (const [, charset, encoding, text] of words.matchAll(ENCODED_WORD)) {
    const bytes = encoding!.toLowerCase() === "b" ? Buffer.from(text!, "base64") : decodeQuotedWord(text!);
    const last = runs.at(-1);
    if (last?.charset === charset!.toLowerCase()) last.bytes.push(bytes);
    else runs.push({ charset: charset!.toLowerCase(), bytes: [bytes] });
  }
  return runs.map(({ charset, bytes }) => decodeMailText(Buffer.concat(bytes), charset)).join("");
}

const decodeQuotedWord = (text: string) =>
  Buffer.from(
    text
      .replaceAll("_", " ")
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
