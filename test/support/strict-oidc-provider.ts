import { createPublicKey, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Claims = Record<string, unknown>;

/** Options that make the provider behave like various real ones, including dishonest ones. */
export type ProviderSetup = {
  /** `token_endpoint_auth_methods_supported`; omitted when undefined. */
  authMethods?: string[];
  idToken?: Claims;
  userInfo?: Claims;
  /** True: signs ID tokens with an unpublished key. */
  forged?: boolean;
};

const TEST_CLIENT = { id: "kith:client", secret: "secret of kith/100%" };

/**
 * Starts a minimal OpenID provider on this machine with strict client authentication: it accepts only the
 * methods in its metadata, by default `client_secret_basic`. `come` acts as the browser: it follows the
 * address of a sign-in and returns the callback's address.
 */
export async function startStrictOidcProvider(setup: () => ProviderSetup) {
  const makeKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const [published, other] = [makeKey(), makeKey()];
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => {
    const send = async () => {
      const { status, body } = await answer(request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    void send();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { authMethods, idToken = {}, userInfo, forged } = setup();
    if (request.url === "/.well-known/openid-configuration")
      return {
        status: 200,
        body: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          ...(userInfo && { userinfo_endpoint: `${issuer}/me` }),
          ...(authMethods && { token_endpoint_auth_methods_supported: authMethods }),
        },
      };
    if (request.url === "/keys") {
      const jwk = createPublicKey(published).export({ format: "jwk" });
      return { status: 200, body: { keys: [{ ...jwk, kid: "1", alg: "RS256", use: "sig" }] } };
    }
    if (request.url === "/me") return { status: 200, body: { sub: "ana", ...userInfo } };
    const body = new URLSearchParams(await text(request));
    const method = request.headers.authorization ? "client_secret_basic" : "client_secret_post";
    if (!(authMethods ?? ["client_secret_basic"]).includes(method) || !isClientAuthenticated(request, body))
      return { status: 401, body: { error: "invalid_client" } };
    const now = Math.floor(Date.now() / 1_000);
    const nonce = nonces.get(body.get("code") ?? "");
    const claims = {
      iss: issuer,
      aud: TEST_CLIENT.id,
      sub: "ana",
      iat: now,
      exp: now + 300,
      nonce,
      ...idToken,
    };
    const id_token = signToken(claims, forged ? other : published);
    return { status: 200, body: { access_token: "access", token_type: "Bearer", id_token } };
  }

  return {
    issuer,
    client: TEST_CLIENT,
    come(redirectTo: string): string {
      const params = new URL(redirectTo).searchParams;
      const code = `code-${nonces.size}`;
      nonces.set(code, params.get("nonce")!);
      return `${params.get("redirect_uri")}?${new URLSearchParams({ code, state: params.get("state")! }).toString()}`;
    },
    close: () => new Promise((done) => server.close(done)),
  };
}

/** Checks the `Authorization` header, in which client id and secret are form-encoded (RFC 6749, 2.3.1). */
function isClientAuthenticated({ headers }: IncomingMessage, body: URLSearchParams): boolean {
  const decode = (part = "") => decodeURIComponent(part.replaceAll("+", " "));
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, "base64").toString().split(":").map(decode)
    : [body.get("client_id"), body.get("client_secret")];
  return id === TEST_CLIENT.id && secret === TEST_CLIENT.secret;
}

function signToken(claims: Claims, key: KeyObject): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key, "base64url")}`;
}
