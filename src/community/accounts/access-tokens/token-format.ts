import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** Prefix by which people and secret scanners recognize a token. */
const PREFIX = "kith_pat_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Number of random digits: 30 digits of base 62 have 178 bits. */
const SECRET_LENGTH = 30;
/** Number of digits of the checksum: a CRC-32 has at most six digits in base 62. */
const CHECKSUM_LENGTH = 6;
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Creates a personal access token: prefix, random digits, and the checksum of both. */
export function createTokenText(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join("");
  return withChecksum(PREFIX + secret);
}

/** Whether a text has the prefix of personal access tokens. */
export const isAccessToken = (text: string): boolean => text.startsWith(PREFIX);

/** Whether a text has the form of a token and the right checksum. Most mistyped tokens have a wrong one. */
export const isTokenWellFormed = (text: string): boolean =>
  TOKEN.test(text) && withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;

const withChecksum = (text: string): string => text + toBase62(crc32(text)).padStart(CHECKSUM_LENGTH, "0");

function toBase62(value: number): string {
  const rest = Math.floor(value / DIGITS.length);
  return (rest > 0 ? toBase62(rest) : "") + DIGITS[value % DIGITS.length];
}
