import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

export { createChecksumToken, isChecksumToken } from "./checksum-token.ts";

/**
 * Creates a UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, then a counter and random bits, so that ids
 * sort by age, even ids of one process within one millisecond.
 */
export const uuidv7 = createIdSource();

/** Creates a source of ids that sort by age among themselves. Its counter is independent of other sources. */
export function createIdSource(): (now?: number) => string {
  let [lastNow, lastMs, counter] = [0, 0, 0];
  return (now = Date.now()) => {
    // Node fetches random bytes for many UUIDs at once; version 7 has its random bits at the positions of
    // version 4.
    const random = randomUUID();
    if (now !== lastNow)
      [lastNow, lastMs, counter] = [now, now, Number.parseInt(random.slice(15, 18), 16) & 0x07ff];
    // A full counter continues in the next millisecond, as the RFC allows: restarting it would break the
    // order.
    else if (++counter > 0x0fff) [lastMs, counter] = [lastMs + 1, 0];
    const ms = lastMs.toString(16).padStart(12, "0");
    return `${ms.slice(0, 8)}-${ms.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${random.slice(19)}`;
  };
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Derives an id from these values, always the same (RFC 9562, 5.8), for rows that must be found again by the
 * values alone.
 */
export function deriveId(...parts: (string | Buffer)[]): string {
  const hash = createHash("sha256");
  // Each value is prefixed by its length, so that two different lists never give the same bytes.
  for (const it of parts) hash.update(`${Buffer.byteLength(it)}:`).update(it);
  const bytes = hash.digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return formatUuid(bytes);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True when a text has the form of an id. Check it before the text reaches a uuid column. */
export const isId = (text: string) => UUID.test(text);

/** A secret of 256 random bits, as 43 URL-safe characters. Store only its hash. */
export const createSecret = () => randomBytes(32).toString("base64url");

/** The stored form of a secret. Secrets have 256 random bits, so they need no salt and no slow hash. */
export const hashSecret = (secret: string) => createHash("sha256").update(secret).digest();

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashSecret(a), hashSecret(b));
}
