import { createVerify, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createGoogleClient } from "#platform/google";
import { redirectGoogleTo } from "./http-client.ts";

const SERVICE_ACCOUNT = "shop@kith-test.iam.gserviceaccount.com";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const API_SCOPE = "https://www.googleapis.com/auth/androidpublisher";

type StoreRequest = { method: string; path: string; host: string };

/**
 * Starts a stand-in for Google. The stand-in issues a token to a service account that proves its identity
 * (RFC 7523), and answers for known purchases to callers with that token.
 */
export async function startPlayStore() {
  const purchases = new Map<string, { status?: number; body: unknown }>();
  const requests: StoreRequest[] = [];
  const proofs: Record<string, unknown>[] = [];
  const tokens = new Set<string>();

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const host = String(request.headers["x-host"]);
      const { status, body } =
        host === "oauth2.googleapis.com" ? token(Buffer.concat(chunks).toString()) : answer(request, host);
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(body === undefined ? "" : JSON.stringify(body));
    });
  });

  function token(text: string) {
    const form = new URLSearchParams(text);
    const proof = readAssertion(form.get("assertion") ?? "");
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer" || !proof)
      return { status: 400, body: { error: "invalid_grant" } };
    proofs.push(proof);
    const access_token = `token-${proofs.length}`;
    tokens.add(access_token);
    return { status: 200, body: { access_token, expires_in: 3_599, token_type: "Bearer" } };
  }

  function answer(
    { headers, method = "", url = "" }: { headers: Record<string, unknown>; method?: string; url?: string },
    host: string,
  ) {
    if (!tokens.has(String(headers["authorization"]).replace(/^Bearer /, "")))
      return { status: 401, body: { error: { message: "no" } } };
    requests.push({ method, path: url, host });
    const [address, verb] = url.split(/:(?=cancel$)/);
    const known = purchases.get(address!);
    if (!known)
      return { status: 404, body: { error: { code: 404, message: "The purchase token was not found." } } };
    if (verb !== "cancel") return { status: known.status ?? 200, body: known.body };
    purchases.set(address!, { body: { ...(known.body as object), autoRenewing: false } });
    return { status: 204, body: undefined };
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const account = {
    type: "service_account" as const,
    client_email: SERVICE_ACCOUNT,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    private_key_id: "key-1",
  };
  return {
    google: createGoogleClient(account, { scope: API_SCOPE, fetch: redirectGoogleTo(url) }),
    /** Settings with which another process can reach this stand-in: address and key file. */
    url,
    account,
    asked: requests,
    proofs,
    /** Defines the stand-in's answer for a purchase. */
    knows: (
      kind: "products" | "subscriptions",
      product: string,
      purchaseToken: string,
      body: unknown,
      status?: number,
    ) =>
      purchases.set(
        `/androidpublisher/v3/applications/org.example.app/purchases/${kind}/${product}/tokens/${purchaseToken}`,
        {
          body,
          ...(status && { status }),
        },
      ),
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/**
 * Returns the claims of an assertion that our account signed for this scope and token address; null for any
 * other assertion.
 */
function readAssertion(jwt: string): Record<string, unknown> | null {
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  if (!createVerify("RSA-SHA256").update(`${head}.${claims}`).verify(publicKey, signature, "base64url"))
    return null;
  const payload = read(claims);
  const fits =
    payload["iss"] === SERVICE_ACCOUNT &&
    payload["scope"] === API_SCOPE &&
    payload["aud"] === "https://oauth2.googleapis.com/token";
  return fits && read(head)["alg"] === "RS256" ? payload : null;
}
