import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { parseTrustedJson } from "#platform/json";

/**
 * Encrypts values that only this server can read: AES-256-GCM, bound to a purpose, so that a value sealed
 * for one purpose is rejected for another.
 */
export type Sealer = {
  /** Seals a value that the client stores (in a cookie or a hidden field), with the time of sealing. */
  seal: (purpose: string, value: object, now: Date) => string;
  /**
   * Returns a sealed value; null if it was not sealed for this purpose or is older than `mostAge`
   * milliseconds.
   */
  unseal: <T extends object>(
    purpose: string,
    sealed: string,
    now: Date,
    mostAge: number,
  ) => (T & { sealedAt: number }) | null;
  sealBytes: (purpose: string, bytes: Buffer) => Buffer;
  unsealBytes: (purpose: string, sealed: Buffer) => Buffer | null;
};

const IV = 12;
const TAG = 16;

export function createSealer(key: Buffer): Sealer {
  if (key.length !== 32) throw new Error("The sealing key must have 32 bytes.");
  const sealBytes = (purpose: string, bytes: Buffer) => {
    const iv = randomBytes(IV);
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  };
  const unsealBytes = (purpose: string, sealed: Buffer) => {
    if (sealed.length < IV + TAG) return null;
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV)).setAAD(
      Buffer.from(purpose),
    );
    decipher.setAuthTag(sealed.subarray(IV, IV + TAG));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]);
    } catch {
      return null;
    }
  };
  return {
    sealBytes,
    unsealBytes,
    seal: (purpose, value, now) =>
      sealBytes(purpose, Buffer.from(JSON.stringify({ ...value, sealedAt: now.getTime() }))).toString(
        "base64url",
      ),
    unseal<T extends object>(purpose: string, sealed: string, now: Date, mostAge: number) {
      const bytes = unsealBytes(purpose, Buffer.from(sealed, "base64url"));
      if (!bytes) return null;
      const value = parseTrustedJson<T & { sealedAt: number }>(bytes.toString());
      return now.getTime() - value.sealedAt <= mostAge ? value : null;
    },
  };
}
