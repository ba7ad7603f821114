import * as oidc from "openid-client";
import { Refusal } from "#platform/refusal";

/** Another house whose accounts are welcome here. */
export type SignInProvider = { name: string; issuer: string; clientId: string; clientSecret: string };

export type Provider = { name: string; configuration: () => Promise<oidc.Configuration> };

/** The houses by name. Each is asked for its addresses when somebody first comes from there, and again after a failure. */
export const openProviders = (providers: SignInProvider[]): Map<string, Provider> =>
  new Map(providers.map((provider) => [provider.name, { name: provider.name, configuration: discovered(provider) }]));

const SECONDS_TO_ANSWER = 8;

function discovered({ name, issuer, clientId, clientSecret }: SignInProvider): Provider["configuration"] {
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

export const away = (name: string) =>
  new Refusal("unavailable", `${name} does not answer at the moment. Please try again later, or sign in another way.`, { retryAfter: 30 });

/** Without https a secret would travel in the open; on one's own machine nobody listens. */
const isOwnMachine = (issuer: string) => ["127.0.0.1", "[::1]", "localhost"].includes(new URL(issuer).hostname);
