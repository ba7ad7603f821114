import { createHmac, randomBytes } from "node:crypto";

/** Keys that sign a request: the app's, and the user's token. Each has a secret that is never sent. */
export type OAuthSigner = { key: string; secret: string; token?: string; tokenSecret?: string };
type SignedRequest = { method: "GET" | "POST"; url: string; parameters?: Record<string, string> };
/** Makes each request unique. */
export type SignatureMoment = { nonce: string; timestamp: number };

const currentMoment = (): SignatureMoment => ({
  nonce: randomBytes(16).toString("hex"),
  timestamp: Math.floor(Date.now() / 1_000),
});

/** RFC 3986 encodes more than `encodeURIComponent`: `!*'()` too. */
const percentEncode = (text: string) =>
  encodeURIComponent(text).replace(/[!*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * `Authorization` header for OAuth 1.0a with HMAC-SHA1 (RFC 5849, 3.4 and 3.5.1). `parameters` are protocol
 * parameters in the header, such as `oauth_callback`; query parameters of the URL are signed too.
 */
export function createAuthorizationHeader(
  signer: OAuthSigner,
  request: SignedRequest,
  { nonce, timestamp }: SignatureMoment = currentMoment(),
): string {
  const protocol: Record<string, string> = {
    oauth_consumer_key: signer.key,
    oauth_nonce: nonce,
    oauth_signature_method: "HMAC-SHA1",
    oauth_timestamp: String(timestamp),
    ...(signer.token !== undefined && { oauth_token: signer.token }),
    oauth_version: "1.0",
    ...request.parameters,
  };
  const url = new URL(request.url);
  const pairs = [...Object.entries(protocol), ...url.searchParams].map(
    ([name, value]) => [percentEncode(name), percentEncode(value)] as const,
  );
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  const sorted = pairs
    .toSorted((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map((pair) => pair.join("="));
  const base = [
    request.method,
    percentEncode(`${url.origin}${url.pathname}`),
    percentEncode(sorted.join("&")),
  ].join("&");
  const key = `${percentEncode(signer.secret)}&${percentEncode(signer.tokenSecret ?? "")}`;
  const signed = { ...protocol, oauth_signature: createHmac("sha1", key).update(base).digest("base64") };
  return `OAuth ${Object.entries(signed)
    .map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`)
    .join(", ")}`;
}
