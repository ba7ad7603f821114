import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/**
 * A WebAuthn authenticator for tests (level 3, sections 6 and 7); a test can make any part of a response
 * invalid.
 */
type RegistrationRequest = { challenge: string; rp: { id?: string; name?: string } };
type AuthenticationRequest = { challenge: string };
export type WrongResponse = {
  origin?: string;
  party?: string;
  verified?: boolean;
  handle?: string | null;
  counter?: number;
};

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

export function createAuthenticator(origin = "https://kith.test") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let handle = "";
  let counter = 0;
  const clientData = (type: string, challenge: string, wrong: WrongResponse) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: wrong.origin ?? origin, crossOrigin: false }));
  const head = (wrong: WrongResponse, more: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? ++counter);
    // Flags: the user is present and, by default, verified.
    const flags = Buffer.from([0x01 | (wrong.verified === false ? 0 : 0x04) | more]);
    return Buffer.concat([sha256(wrong.party ?? new URL(origin).hostname), flags, count]);
  };
  return {
    /** Creates a passkey, and the response that a browser would pass on. */
    make(options: RegistrationRequest & { user: { id: string } }, wrong: WrongResponse = {}): string {
      handle = options.user.id;
      const { x, y } = publicKey.export({ format: "jwk" });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const key = encodeCbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, "base64url")],
          [-3, Buffer.from(y!, "base64url")],
        ]),
      );
      const authData = Buffer.concat([head(wrong, 0x40), Buffer.alloc(16), length, id, key]);
      const attestation = encodeCbor(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      const response = {
        clientDataJSON: b64(clientData("webauthn.create", options.challenge, wrong)),
        attestationObject: b64(attestation),
        transports: ["internal"],
      };
      return JSON.stringify({
        id: b64(id),
        rawId: b64(id),
        type: "public-key",
        response,
        clientExtensionResults: {},
      });
    },
    /** Signs a challenge. */
    sign(options: AuthenticationRequest, wrong: WrongResponse = {}): string {
      const data = clientData("webauthn.get", options.challenge, wrong);
      const authenticatorData = head(wrong, 0);
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      const response = {
        clientDataJSON: b64(data),
        authenticatorData: b64(authenticatorData),
        signature: b64(signature),
        userHandle: wrong.handle === undefined ? handle : wrong.handle,
      };
      return JSON.stringify({
        id: b64(id),
        rawId: b64(id),
        type: "public-key",
        response,
        clientExtensionResults: {},
      });
    },
    get handle() {
      return handle;
    },
  };
}

/** Encodes the CBOR types (RFC 8949) that passkeys need. */
function encodeCbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? encodeCborHead(1, -1 - value) : encodeCborHead(0, value);
  if (typeof value === "string")
    return Buffer.concat([encodeCborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeCborHead(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([
    encodeCborHead(5, entries.length),
    ...entries.flatMap(([name, it]) => [encodeCbor(name), encodeCbor(it)]),
  ]);
}

function encodeCborHead(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count]);
  return count < 256
    ? Buffer.from([(kind << 5) | 24, count])
    : Buffer.from([(kind << 5) | 25, count >> 8, count & 255]);
}
