import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Our app id and secret at the providers. */
export const SOCIAL_APP = { clientId: "1234567890", clientSecret: "secret-of-kith" };
const API_VERSION = "/v23.0";
type ProviderResponse = { status?: number; body: unknown; location?: string };
type ProviderRequest = { url: URL; request: IncomingMessage; body: string };

/** Facebook accounts by token, and the app of each token. */
const FACEBOOK_TOKENS: Record<string, { app: string; id: string; name: string; email?: string }> = {
  "fb-ana": { app: SOCIAL_APP.clientId, id: "10158777700000001", name: "Ana Berg", email: "ana@example.org" },
  "fb-nomail": { app: SOCIAL_APP.clientId, id: "10158777700000002", name: "No Mail" },
  "fb-elsewhere": { app: "999", id: "10158777700000001", name: "Ana Berg", email: "ana@example.org" },
};
const errorResponse = (message: string): ProviderResponse => ({
  status: 400,
  body: { error: { message, type: "OAuthException", code: 190 } },
});

function answerAsFacebook({ url, body }: ProviderRequest): ProviderResponse {
  const at = url.searchParams;
  const form = new URLSearchParams(body);
  if (url.pathname === `${API_VERSION}/dialog/oauth`) {
    const back = new URL(at.get("redirect_uri")!);
    back.search = new URLSearchParams({ code: "code-of-ana", state: at.get("state")! }).toString();
    return { status: 302, body: "", location: back.href };
  }
  if (url.pathname === `${API_VERSION}/oauth/access_token`)
    return form.get("code") === "code-of-ana" &&
      form.get("client_secret") === SOCIAL_APP.clientSecret &&
      form.get("client_id") === SOCIAL_APP.clientId
      ? { body: { access_token: "fb-ana", token_type: "bearer", expires_in: 5_000_000 } }
      : errorResponse("This authorization code has been used.");
  const somebody = FACEBOOK_TOKENS[at.get("input_token") ?? at.get("access_token") ?? ""];
  if (url.pathname === `${API_VERSION}/debug_token`) {
    if (at.get("access_token") !== `${SOCIAL_APP.clientId}|${SOCIAL_APP.clientSecret}`)
      return errorResponse("Invalid OAuth access token.");
    if (!somebody)
      return { body: { data: { is_valid: false, error: { code: 190, message: "Malformed access token" } } } };
    return { body: { data: { app_id: somebody.app, type: "USER", is_valid: true, user_id: somebody.id } } };
  }
  const proof = createHmac("sha256", SOCIAL_APP.clientSecret).update(at.get("access_token")!).digest("hex");
  if (!somebody || at.get("appsecret_proof") !== proof)
    return errorResponse("Invalid appsecret_proof provided in the API argument");
  const { app: _, ...claims } = somebody;
  return { body: claims };
}

/** X tokens and their secrets. */
const X_TOKEN_SECRETS: Record<string, string> = { asked: "secret-asked", "x-bo": "secret-of-bo" };

const percentEncode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the OAuth header if its signature matches our key and the token's secret (RFC 5849, 3.4). */
function verifySignature({ url, request }: ProviderRequest): Record<string, string> | null {
  const header = request.headers.authorization ?? "";
  const params = [...header.matchAll(/(\w+)="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, decodeURIComponent(value)] as const,
  );
  const { oauth_signature: signature, ...protocol } = Object.fromEntries(params) as Record<string, string>;
  const parameters = [...Object.entries(protocol), ...url.searchParams]
    .map((pair) => pair.map(percentEncode).join("="))
    .sort();
  const base = `${request.method}&${percentEncode(url.origin + url.pathname)}&${percentEncode(parameters.join("&"))}`;
  const { oauth_token: token } = protocol;
  const secret = token === undefined ? "" : percentEncode(X_TOKEN_SECRETS[token] ?? "unknown");
  const key = `${percentEncode(SOCIAL_APP.clientSecret)}&${secret}`;
  const isOurs =
    protocol["oauth_consumer_key"] === SOCIAL_APP.clientId &&
    Math.abs(Number(protocol["oauth_timestamp"]) - Date.now() / 1_000) < 300;
  return isOurs && createHmac("sha1", key).update(base).digest("base64") === signature ? protocol : null;
}

function answerAsX(request: ProviderRequest): ProviderResponse {
  const { pathname, searchParams } = request.url;
  if (pathname === "/oauth/authenticate")
    return {
      status: 302,
      body: "",
      location: `?oauth_token=${searchParams.get("oauth_token")}&oauth_verifier=yes`,
    };
  const params = verifySignature(request);
  if (!params)
    return { status: 401, body: { errors: [{ code: 32, message: "Could not authenticate you." }] } };
  if (pathname === "/oauth/request_token")
    return { body: "oauth_token=asked&oauth_token_secret=secret-asked&oauth_callback_confirmed=true" };
  if (pathname === "/oauth/access_token")
    return params["oauth_verifier"] === "yes"
      ? { body: "oauth_token=x-bo&oauth_token_secret=secret-of-bo&user_id=38895958&screen_name=bo" }
      : { status: 401, body: "Invalid oauth_verifier parameter" };
  return { body: { id_str: "38895958", name: "Bo Lind", screen_name: "bo", email: "bo@example.org" } };
}

const readBody = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/**
 * Starts stand-ins for Facebook and X on this machine, which check requests as the real services do. `ill`
 * makes them answer with server errors.
 */
export async function startSocialProviders() {
  const state = { ill: false };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const url = new URL(request.url!, `http://${request.headers.host}`);
    const call = { url, request, body };
    const answer = state.ill
      ? { status: 503, body: "" }
      : url.pathname.startsWith(API_VERSION)
        ? answerAsFacebook(call)
        : answerAsX(call);
    const isText = typeof answer.body === "string";
    response.writeHead(answer.status ?? 200, {
      "content-type": isText ? "text/plain" : "application/json",
      ...(answer.location !== undefined && { location: answer.location }),
    });
    response.end(isText ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { at, state, close: () => new Promise((done) => server.close(done)) };
}
