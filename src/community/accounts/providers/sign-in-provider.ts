import * as oidc from "openid-client";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { ProviderClaims } from "./provider-identities.ts";

/** A configured sign-in provider, in one of three protocols. `at` replaces its addresses in tests. */
export type SignInProvider =
  | (ProviderCredentials & { kind: "openid"; issuer: string })
  | (ProviderCredentials & { kind: "facebook" | "twitter"; at?: string });

type ProviderCredentials = {
  name: string;
  clientId: string;
  clientSecret: string;
  /**
   * Lets people sign in to the account with their address without having linked the provider. The provider's
   * operator can then sign in as every member, so an admin must allow it.
   */
  linksByEmail?: boolean;
};

/** State, sealed, that the browser stores while the person is at the provider. */
export type ProviderState = Record<string, string>;

export type Provider = {
  name: string;
  linksByEmail: boolean;
  /**
   * Returns the provider's address, to which the person is redirected. The provider redirects back to
   * `callback`.
   * @throws `unavailable`
   */
  begin: (callback: string) => Promise<{ redirectTo: URL; kept: ProviderState }>;
  /**
   * Reads the claims of the person from the callback address to which the provider redirected them.
   * @throws `not-allowed`, `invalid`, `unavailable`
   */
  finish: (callbackUrl: URL, kept: ProviderState) => Promise<ProviderClaims>;
  /**
   * Claims behind a token, if the provider confirms that it was issued for us; OAuth 1 tokens have a secret.
   * @throws `not-allowed`, `unavailable`
   */
  vouch: (token: string, secret: string | null) => Promise<ProviderClaims>;
};

export const PROVIDER_TIMEOUT_SECONDS = 8;

export const providerUnavailable = (name: string) =>
  new Refusal(
    "unavailable",
    msg("{name} isn't responding. Try again later, or sign in another way.", { name }),
    {
      retryAfter: 30,
    },
  );

export const tokenNotForUs = (name: string) =>
  new Refusal(
    "not-allowed",
    msg("{name} did not confirm that this token was issued for this community.", { name }),
    {
      kind: "provider-failed",
    },
  );

export const signInMismatch = () =>
  new Refusal("invalid", "This sign-in was not started in this browser. Start again.");

export const permissionDenied = (name: string) =>
  new Refusal(
    "not-allowed",
    msg("You did not allow {name} to share your identity. Nothing has changed.", { name }),
  );

/** Refuses a secret with an OAuth 2 token, which has none: the client has named the wrong provider. */
export function assertNoTokenSecret(name: string, secret: string | null): void {
  if (secret !== null)
    throw new Refusal("invalid", msg("{name} uses OAuth 2, which has no token secret.", { name }), {
      kind: "provider-failed",
    });
}

/** Turns an error of the callback into a refusal the person can read. */
export function toProviderRefusal(error: unknown, name: string): Refusal {
  if (error instanceof oidc.AuthorizationResponseError && error.error === "access_denied")
    return permissionDenied(name);
  return isProviderFailure(error) ? providerUnavailable(name) : signInMismatch();
}

/**
 * Whether the error is a network error, a provider failure, or a provider's rejection of our credentials.
 * The person can fix none of these.
 */
export const isProviderFailure = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && error.name === "TimeoutError") ||
  (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT") ||
  (error instanceof oidc.ResponseBodyError && error.error !== "invalid_grant");

/** Maximum number of stored claims. */
const MAX_CLAIMS = 100;
/** Maximum characters of a stored claim. */
const MAX_CLAIM_LENGTH = 2_000;

/** Claims that can be stored: texts, numbers, booleans. */
export const readStorableClaims = (claims: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(claims)
      .filter(
        ([, it]) =>
          ["number", "boolean"].includes(typeof it) ||
          (typeof it === "string" && it.length <= MAX_CLAIM_LENGTH),
      )
      .slice(0, MAX_CLAIMS),
  );

export const trimmedText = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;

/** Whether the address is this machine. Secrets may be sent without https only there. */
export const isLoopbackAddress = (address: string): boolean =>
  ["127.0.0.1", "[::1]", "localhost"].includes(new URL(address).hostname);
