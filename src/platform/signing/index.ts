import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signs texts that a client returns to us later, each for one purpose. The texts are not encrypted, so
 * everyone can read them.
 */
export type Signer = {
  /** Returns a URL-safe token. */
  sign: (purpose: string, text: string) => string;
  /** Null for a text that we did not sign for this purpose. */
  read: (purpose: string, token: string) => string | null;
  /** Returns bytes that only we can compute, always the same for a text. */
  mark: (purpose: string, text: string) => Buffer;
};

const MAC_LENGTH = 16;
const MAX_LENGTH = 400;

export function createSigner(key: Buffer): Signer {
  const mark = (purpose: string, text: string) =>
    createHmac("sha256", key).update(`${purpose}\0${text}`).digest();
  const short = (purpose: string, text: string) => mark(purpose, text).subarray(0, MAC_LENGTH);
  return {
    mark,
    sign: (purpose, text) => Buffer.concat([short(purpose, text), Buffer.from(text)]).toString("base64url"),
    read(purpose, token) {
      if (token.length > MAX_LENGTH || !/^[\w-]+$/.test(token)) return null;
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length <= MAC_LENGTH) return null;
      const text = bytes.subarray(MAC_LENGTH).toString();
      return timingSafeEqual(bytes.subarray(0, MAC_LENGTH), short(purpose, text)) ? text : null;
    },
  };
}
