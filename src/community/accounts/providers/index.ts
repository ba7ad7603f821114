import { createFacebookProvider } from "./facebook.ts";
import { createOpenIdProvider } from "./openid.ts";
import type { Provider, SignInProvider } from "./sign-in-provider.ts";
import { createTwitterProvider } from "./twitter.ts";

export { signInMismatch } from "./sign-in-provider.ts";
export type { ProviderState, Provider, SignInProvider } from "./sign-in-provider.ts";

/** Sign-in providers by name. */
export const createProviders = (providers: SignInProvider[]): Map<string, Provider> =>
  new Map(providers.map((provider) => [provider.name, createProvider(provider)]));

function createProvider(provider: SignInProvider): Provider {
  if (provider.kind === "openid") return createOpenIdProvider(provider);
  return provider.kind === "facebook" ? createFacebookProvider(provider) : createTwitterProvider(provider);
}
