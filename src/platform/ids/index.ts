import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

/**
 * A UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, then a counter and randomness, so that ids sort by age,
 * also among those made within one millisecond by one process.
 */
export const uuidv7 = createIdSource();

/**
 * Ids that sort by age among those of this source. Those that others make for moments of their own, between two of one
 * millisecond, leave its counter alone.
 */
export function createIdSource(): (now?: number) => string {
  let [lastNow, lastMs, counter] = [0, 0, 0];
  return (now = Date.now()) => {
    // Node fetches random bytes for many of these at once, and an id of version 7 has them where version 4 has.
    const random = randomUUID();
    if (now !== lastNow) [lastNow, lastMs, counter] = [now, now, Number.parseInt(random.slice(15, 18), 16) & 0x07ff];
    // A full counter goes on in the next millisecond, as the RFC allows: beginning again would break the order.
    else if (++counter > 0x0fff) [lastMs, counter] = [lastMs + 1, 0];
    const ms = lastMs.toString(16).padStart(12, "0");
    return `${ms.slice(0, 8)}-${ms.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${random.slice(19)}`;
  };
}

function written(bytes: Buffer): string {
  const hex = bytes.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The id of what these say, always the same one (RFC 9562, 5.8): for what has to be found again by them alone. */
export function idNamed(...said: (string | Buffer)[]): string {
  const hash = createHash("sha256");
  // Each under its own length, so that no two lists read as the same bytes.
  for (const it of said) hash.update(`${Buffer.byteLength(it)}:`).update(it);
  const bytes = hash.digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return written(bytes);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text from outside has the form of an id: asked before it reaches a uuid column. */
export const isId = (text: string) => UUID.test(text);

/** A secret of 256 random bits, as 43 characters safe in an address. Only its hash is ever stored. */
export const newSecret = () => randomBytes(32).toString("base64url");

/** What is stored of a secret. The secret has 256 bits of its own, so no salt and no slow hash are needed. */
export const hashOf = (secret: string) => createHash("sha256").update(secret).digest();

/** Compares without telling by its time where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b));
}
