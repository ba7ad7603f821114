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

type OpenId = { name: string; issuer: string; clientId: string; clientSecret: string; linksByEmail?: boolean };

/** Client authentication method that the provider announces, or the standard's default. */
const secretAuth =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const asPost = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
    const authenticate = asPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
    authenticate(server, client, body, headers);
  };

/** An OpenID Connect provider. Discovery runs on the first use, and again after a failure. */
export function openIdProvider(given: OpenId): Provider {
  const { name } = given;
  const configuration = discovered(given);
  return {
    name,
    linksByEmail: given.linksByEmail ?? false,
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
    known ??= oidc.discovery(new URL(issuer), clientId, undefined, secretAuth(clientSecret), {
      timeout: SECONDS_TO_ANSWER,
      // The ID token's signature is verified, even over TLS: a proxy may terminate that earlier.
      execute: [oidc.enableNonRepudiationChecks, ...(isOwnMachine(issuer) ? [oidc.allowInsecureRequests] : [])],
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
    return readClaims(isComplete(claims) ? claims : await addUserInfo(configuration, tokens.access_token, claims));
  } catch (error) {
    throw refusalOf(error, name);
  }
}

/** By introspection (RFC 7662): a valid token alone does not say for whom it was issued. */
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

const isComplete = (claims: Record<string, unknown>) => claims["email"] !== undefined && nameIn(claims) !== null;

/** Adds claims missing in the ID token. `email_verified` is taken from the same source as the address. */
async function addUserInfo(configuration: oidc.Configuration, accessToken: string, claims: oidc.IDToken) {
  if (!configuration.serverMetadata().userinfo_endpoint) return claims;
  const more = await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
  const source = claims["email"] === undefined ? more : claims;
  return { ...more, ...claims, email: source["email"], email_verified: source["email_verified"] };
}

function nameIn(claims: Record<string, unknown>): string | null {
  const whole = text(claims["name"]);
  if (whole) return whole;
  const parts = [text(claims["given_name"]), text(claims["family_name"])].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(" ") : null;
}

const readClaims = (claims: Record<string, unknown>): Claims => ({
  subject: String(claims["sub"]),
  email: text(claims["email"]),
  // Some providers send it as text.
  emailVerified: claims["email_verified"] === true || claims["email_verified"] === "true",
  name: nameIn(claims) ?? text(claims["preferred_username"]),
  locale: text(claims["locale"]),
  told: toldIn(claims),
});
