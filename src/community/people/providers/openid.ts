import * as oidc from "openid-client";
import { Refusal } from "#platform/refusal";
import type { Claims } from "../identities.ts";
import {
  away,
  isOwnMachine,
  isTheirs,
  type Kept,
  mindNoSecret,
  notVouched,
  type Provider,
  refusalOf,
  SECONDS_TO_ANSWER,
  text,
  toldIn,
} from "./provider.ts";

type OpenId = { name: string; issuer: string; clientId: string; clientSecret: string };

/** A house that speaks OpenID Connect. It is asked for its addresses when somebody first comes from there, and again after a failure. */
export function openIdProvider(given: OpenId): Provider {
  const { name } = given;
  const configuration = discovered(given);
  return {
    name,
    begin: async (callback) => begin(await configuration(), callback),
    finish: async (came, kept) => finish(await configuration(), name, came, kept),
    vouch: async (token, secret) => {
      mindNoSecret(name, secret);
      return vouch(await configuration(), name, token);
    },
  };
}

function discovered({ name, issuer, clientId, clientSecret }: OpenId): () => Promise<oidc.Configuration> {
  let known: Promise<oidc.Configuration> | null = null;
  return async () => {
    known ??= oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: SECONDS_TO_ANSWER,
      ...(isOwnMachine(issuer) && { execute: [oidc.allowInsecureRequests] }),
    });
    try {
      return await known;
    } catch {
      known = null;
      throw away(name);
    }
  };
}

async function begin(configuration: oidc.Configuration, callback: string) {
  const kept = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
  const redirectTo = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: "openid email profile",
    state: kept.state,
    nonce: kept.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(kept.verifier),
    code_challenge_method: "S256",
  });
  return { redirectTo, kept };
}

async function finish(configuration: oidc.Configuration, name: string, came: URL, kept: Kept): Promise<Claims> {
  try {
    const checks = {
      pkceCodeVerifier: kept["verifier"]!,
      expectedState: kept["state"]!,
      expectedNonce: kept["nonce"]!,
      idTokenExpected: true,
    };
    const tokens = await oidc.authorizationCodeGrant(configuration, came, checks);
    const claims = tokens.claims()!;
    const more = claims["email"] === undefined ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    return readClaims({ ...more, ...claims });
  } catch (error) {
    throw refusalOf(error, name);
  }
}

/** By introspection (RFC 7662): that a token is good says nothing of whom it was made for. */
async function vouch(configuration: oidc.Configuration, name: string, token: string): Promise<Claims> {
  if (!configuration.serverMetadata().introspection_endpoint) throw notVouched(name);
  try {
    const said = await oidc.tokenIntrospection(configuration, token);
    if (!said.active || said.client_id !== configuration.clientMetadata().client_id) throw notVouched(name);
    return readClaims(await oidc.fetchUserInfo(configuration, token, said.sub ?? oidc.skipSubjectCheck));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw isTheirs(error) ? away(name) : notVouched(name);
  }
}

const readClaims = (claims: Record<string, unknown>): Claims => ({
  subject: String(claims["sub"]),
  email: text(claims["email"]),
  emailVerified: claims["email_verified"] === true,
  name: text(claims["name"]) ?? text(claims["preferred_username"]),
  locale: text(claims["locale"]),
  told: toldIn(claims),
});
