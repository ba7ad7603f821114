import { z } from "zod";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { ProviderClaims } from "./provider-identities.ts";
import { createAuthorizationHeader, type OAuthSigner } from "./oauth1.ts";
import {
  providerUnavailable,
  isProviderFailure,
  tokenNotForUs,
  type Provider,
  PROVIDER_TIMEOUT_SECONDS,
  signInMismatch,
  readStorableClaims,
  permissionDenied,
} from "./sign-in-provider.ts";

const TWITTER_ADDRESS = "https://api.x.com";
const TwitterUser = z.looseObject({
  id_str: z.string().min(1).max(100),
  name: z.string().optional(),
  screen_name: z.string().optional(),
  email: z.string().nullish(),
});

type TwitterOptions = {
  name: string;
  clientId: string;
  clientSecret: string;
  linksByEmail?: boolean;
  at?: string;
};
type TwitterContext = { name: string; at: string; own: OAuthSigner };

/**
 * X (formerly Twitter) with OAuth 1.0a, whose tokens have a secret (docs.x.com, "Log in with X"). X accepts
 * a token only in requests signed with our key, which proves that the token was issued for us. Addresses
 * from X are verified.
 */
export function createTwitterProvider({
  name,
  clientId,
  clientSecret,
  linksByEmail = false,
  at = TWITTER_ADDRESS,
}: TwitterOptions): Provider {
  const app: TwitterContext = { name, at, own: { key: clientId, secret: clientSecret } };
  return {
    name,
    linksByEmail,
    begin: (callback) => mapFailures(app, () => beginSignIn(app, callback)),
    finish: (callbackUrl, state) => mapFailures(app, () => finishSignIn(app, callbackUrl, state)),
    vouch: (token, secret) => mapFailures(app, () => verifyToken(app, token, secret)),
  };
}

async function beginSignIn(app: TwitterContext, callback: string) {
  const response = await requestForm(app, app.own, "/oauth/request_token", { oauth_callback: callback });
  const token = response?.get("oauth_token");
  // The provider rejects our own key. The person cannot fix this.
  if (!token || response?.get("oauth_callback_confirmed") !== "true") throw providerUnavailable(app.name);
  const redirectTo = new URL("/oauth/authenticate", app.at);
  redirectTo.searchParams.set("oauth_token", token);
  return { redirectTo, kept: { token, secret: response.get("oauth_token_secret") ?? "" } };
}

async function finishSignIn(
  app: TwitterContext,
  callbackUrl: URL,
  kept: Record<string, string>,
): Promise<ProviderClaims> {
  const { token = "", secret = "" } = kept;
  const params = callbackUrl.searchParams;
  if (params.has("denied")) throw permissionDenied(app.name);
  const verifier = params.get("oauth_verifier");
  if (token === "" || params.get("oauth_token") !== token || !verifier) throw signInMismatch();
  const signer = { ...app.own, token, tokenSecret: secret };
  const given = await requestForm(app, signer, "/oauth/access_token", { oauth_verifier: verifier });
  if (!given?.has("oauth_token")) throw signInMismatch();
  return fetchClaims(app, given.get("oauth_token")!, given.get("oauth_token_secret") ?? "");
}

async function verifyToken(
  app: TwitterContext,
  token: string,
  secret: string | null,
): Promise<ProviderClaims> {
  if (secret === null)
    throw new Refusal(
      "invalid",
      msg("{app} tokens have a secret: accessTokenSecret is missing.", { app: app.name }),
      {
        kind: "provider-failed",
      },
    );
  return fetchClaims(app, token, secret);
}

async function fetchClaims(app: TwitterContext, token: string, tokenSecret: string): Promise<ProviderClaims> {
  const path =
    "/1.1/account/verify_credentials.json?include_email=true&skip_status=true&include_entities=false";
  const answer = await requestTwitter(app, { ...app.own, token, tokenSecret }, "GET", path);
  const it = TwitterUser.safeParse(answer.ok ? await answer.json().catch(() => null) : null).data;
  if (!it) throw tokenNotForUs(app.name);
  const email = it.email || null;
  return {
    subject: it.id_str,
    email,
    emailVerified: email !== null,
    name: it.name ?? it.screen_name ?? null,
    locale: null,
    raw: readStorableClaims(it),
  };
}

/** Posts a request and parses the form-encoded response; null when the provider refused it. */
async function requestForm(
  app: TwitterContext,
  signer: OAuthSigner,
  path: string,
  parameters: Record<string, string>,
) {
  const answer = await requestTwitter(app, signer, "POST", path, parameters);
  return answer.ok ? new URLSearchParams(await answer.text()) : null;
}

async function requestTwitter(
  app: TwitterContext,
  signer: OAuthSigner,
  method: "GET" | "POST",
  path: string,
  parameters: Record<string, string> = {},
) {
  const url = new URL(path, app.at).href;
  const answer = await fetch(url, {
    method,
    headers: { authorization: createAuthorizationHeader(signer, { method, url, parameters }) },
    signal: AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1_000),
    redirect: "error",
  });
  if (answer.status >= 500 || answer.status === 429) throw providerUnavailable(app.name);
  return answer;
}

async function mapFailures<T>({ name }: TwitterContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isProviderFailure(error) ? providerUnavailable(name) : error;
  }
}
