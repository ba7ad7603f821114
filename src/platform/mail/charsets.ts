import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";

// Charsets of mails: the bytes decide before the labels, because labels are wrong more often.

/** Seven-bit encodings: their bytes look like ASCII, so only the label identifies them. */
const SEVEN_BIT = /^(?:iso-?2022|hz|(?:unicode-1-1-)?utf-?7|csiso2022)/;
/** The library lists these as encodings too, but none of them is used for text in a mail. */
const NOT_TEXT_ENCODINGS = /^(?:base64|hex|binary|utf-?16|utf-?32|ucs-?[24])/;

const windows1252 = new TextDecoder("windows-1252");

/**
 * Decodes the text of a mail part: strict UTF-8 first, then by its label, then windows-1252. A text labelled
 * UTF-8 with a few damaged characters stays UTF-8.
 */
export function decodeMailText(bytes: Uint8Array, charset: string | undefined): string {
  const label = cleanLabel(charset);
  if (isSevenBit(bytes))
    return SEVEN_BIT.test(label) ? decodeAs(label, bytes) : new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  if (label === "" || /^utf-?8$/.test(label)) return decodeDamaged(bytes);
  return decodeAs(label, bytes);
}

/** Some labels add the language (`utf-8*fr`, RFC 2231), quotes, or `charset=` once more. */
const cleanLabel = (charset = "") =>
  charset
    .toLowerCase()
    .replace(/^charset=/, "")
    .replace(/\*.*$/s, "")
    .replace(/["'\s]/g, "");

const isSevenBit = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80);

function decodeAs(label: string, bytes: Uint8Array): string {
  const name = /^x?-?iso-?2022-?jp/.test(label) ? "iso-2022-jp" : label;
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    // The platform supports the encodings of the web; the library also those of older machines, such as
    // cp850.
    const isKnown = name !== "" && !NOT_TEXT_ENCODINGS.test(name) && iconv.encodingExists(name);
    return isKnown ? iconv.decode(Buffer.from(bytes), name) : windows1252.decode(bytes);
  }
}

function decodeDamaged(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const lost = text.match(/\uFFFD/g)?.length ?? 0;
  const sound = (text.match(/[^\0-\x7F]/g)?.length ?? 0) - lost;
  return sound >= lost ? text : windows1252.decode(bytes);
}

/**
 * Detects the character set of some bytes: UTF-8 when they are valid, then the label's, then windows-1252.
 * Labels are often wrong (`us-ascii`, `unknown-8bit`, a language after an asterisk), and text in another
 * charset is rarely valid UTF-8 once it has a few letters beyond ASCII.
 */
export function detectCharset(bytes: Uint8Array, label: string | undefined): string {
  const named = resolveCharset(label);
  // These encodings use seven bits only.
  if (named !== null && /^(?:iso-2022|utf-16|utf-7|hz-)/.test(named)) return named;
  if (isUtf8(bytes)) return "utf-8";
  return named === null || named === "utf-8" || /^(?:us-)?ascii$/.test(named) ? "windows-1252" : named;
}

function resolveCharset(label: string | undefined): string | null {
  const bare = (label ?? "")
    .replace(/\*.*$/, "")
    .replace(/^["'\s]+|["'\s;]+$/g, "")
    .toLowerCase();
  const plain = ALIASES[bare] ?? bare;
  try {
    return plain === "" ? null : (new TextDecoder(plain), plain === "utf8" ? "utf-8" : plain);
  } catch {
    return null;
  }
}

/** Charset names that are used in mail but not on the web. */
const ALIASES: Record<string, string> = Object.assign(Object.create(null), {
  cp932: "shift_jis",
  "windows-31j": "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  "iso-8859-8-i": "iso-8859-8",
  "x-unknown": "",
});
