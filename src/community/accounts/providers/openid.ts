import * as oidc from "openid-client";
import { Refusal } from "#platform/refusal";
import type { ProviderClaims } from "./provider-identities.ts";
import {
  providerUnavailable,
  isLoopbackAddress,
  isProviderFailure,
  type ProviderState,
  assertNoTokenSecret,
  tokenNotForUs,
  type Provider,
  toProviderRefusal,
  PROVIDER_TIMEOUT_SECONDS,
  trimmedText,
  readStorableClaims,
} from "./sign-in-provider.ts";

type OpenIdOptions = {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  linksByEmail?: boolean;
};

/** Client authentication method that the provider announces, or the standard's default. */
const clientSecretAuth =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const asPost = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
    const authenticate = asPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
    authenticate(server, client, body, headers);
  };

/** An OpenID Connect provider. Discovery runs on the first use, and again after a failure. */
export function createOpenIdProvider(options: OpenIdOptions): Provider {
  const { name } = options;
  const configuration = cacheDiscovery(options);
  return {
    name,
    linksByEmail: options.linksByEmail ?? false,
    begin: async (callback) => beginSignIn(await configuration(), callback),
    finish: async (callbackUrl, state) => finishSignIn(await configuration(), name, callbackUrl, state),
    vouch: async (token, secret) => {
      assertNoTokenSecret(name, secret);
      return verifyToken(await configuration(), name, token);
    },
  };
}

function cacheDiscovery({
  name,
  issuer,
  clientId,
  clientSecret,
}: OpenIdOptions): () => Promise<oidc.Configuration> {
  let known: Promise<oidc.Configuration> | null = null;
  return async () => {
    known ??= oidc.discovery(new URL(issuer), clientId, undefined, clientSecretAuth(clientSecret), {
      timeout: PROVIDER_TIMEOUT_SECONDS,
      // Verify the ID token's signature even over TLS: a proxy may terminate TLS before us.
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(isLoopbackAddress(issuer) ? [oidc.allowInsecureRequests] : []),
      ],
    });
    try {
      return await known;
    } catch {
      known = null;
      throw providerUnavailable(name);
    }
  };
}

async function beginSignIn(configuration: oidc.Configuration, callback: string) {
  const kept = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
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

async function finishSignIn(
  configuration: oidc.Configuration,
  name: string,
  callbackUrl: URL,
  state: ProviderState,
): Promise<ProviderClaims> {
  try {
    const checks = {
      pkceCodeVerifier: state["verifier"]!,
      expectedState: state["state"]!,
      expectedNonce: state["nonce"]!,
      idTokenExpected: true,
    };
    const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, checks);
    const claims = tokens.claims()!;
    return toClaims(
      hasNameAndEmail(claims) ? claims : await addUserInfo(configuration, tokens.access_token, claims),
    );
  } catch (error) {
    throw toProviderRefusal(error, name);
  }
}

/**
 * Verifies a token by introspection (RFC 7662): a valid token alone does not say for which client it was
 * issued.
 */
async function verifyToken(
  configuration: oidc.Configuration,
  name: string,
  token: string,
): Promise<ProviderClaims> {
  if (!configuration.serverMetadata().introspection_endpoint) throw tokenNotForUs(name);
  try {
    const introspectionResponse = await oidc.tokenIntrospection(configuration, token);
    if (
      !introspectionResponse.active ||
      introspectionResponse.client_id !== configuration.clientMetadata().client_id
    )
      throw tokenNotForUs(name);
    return toClaims(
      await oidc.fetchUserInfo(configuration, token, introspectionResponse.sub ?? oidc.skipSubjectCheck),
    );
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw isProviderFailure(error) ? providerUnavailable(name) : tokenNotForUs(name);
  }
}

const hasNameAndEmail = (claims: Record<string, unknown>) =>
  claims["email"] !== undefined && readName(claims) !== null;

/** Adds claims missing in the ID token. `email_verified` is taken from the same source as the address. */
async function addUserInfo(configuration: oidc.Configuration, accessToken: string, claims: oidc.IDToken) {
  if (!configuration.serverMetadata().userinfo_endpoint) return claims;
  const more = await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
  const source = claims["email"] === undefined ? more : claims;
  return { ...more, ...claims, email: source["email"], email_verified: source["email_verified"] };
}

function readName(claims: Record<string, unknown>): string | null {
  const whole = trimmedText(claims["name"]);
  if (whole) return whole;
  const parts = [trimmedText(claims["given_name"]), trimmedText(claims["family_name"])].filter(
    (part) => part !== null,
  );
  return parts.length > 0 ? parts.join(" ") : null;
}

const toClaims = (claims: Record<string, unknown>): ProviderClaims => ({
  subject: String(claims["sub"]),
  email: trimmedText(claims["email"]),
  // Some providers send the value as a string.
  emailVerified: claims["email_verified"] === true || claims["email_verified"] === "true",
  name: readName(claims) ?? trimmedText(claims["preferred_username"]),
  locale: trimmedText(claims["locale"]),
  raw: readStorableClaims(claims),
});
