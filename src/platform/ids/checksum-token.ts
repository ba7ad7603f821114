import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Number of random digits: 30 digits of base 62 have 178 bits. */
const SECRET_LENGTH = 30;
/** Number of digits of the checksum: a CRC-32 has at most six digits in base 62. */
const CHECKSUM_LENGTH = 6;
const AFTER_PREFIX = new RegExp(`^[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Creates a token that secret scanners recognize by its prefix and confirm by its checksum: prefix, random
 * digits, and the checksum of both. Store only its hash (`hashSecret`).
 */
export function createChecksumToken(prefix: string): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join("");
  return withChecksum(prefix + secret);
}

/** Whether a text has the form of such a token and the right checksum. Most mistyped tokens have a wrong one. */
export const isChecksumToken = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) &&
  AFTER_PREFIX.test(text.slice(prefix.length)) &&
  withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;

const withChecksum = (text: string): string => text + toBase62(crc32(text)).padStart(CHECKSUM_LENGTH, "0");

function toBase62(value: number): string {
  const rest = Math.floor(value / DIGITS.length);
  return (rest > 0 ? toBase62(rest) : "") + DIGITS[value % DIGITS.length];
}
