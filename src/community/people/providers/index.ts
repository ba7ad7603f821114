import { facebookProvider } from "./facebook.ts";
import { openIdProvider } from "./openid.ts";
import type { Provider, SignInProvider } from "./provider.ts";
import { twitterProvider } from "./twitter.ts";

export { strayed } from "./provider.ts";
export type { Kept, Provider, SignInProvider } from "./provider.ts";

/** Sign-in providers by name. */
export const openProviders = (providers: SignInProvider[]): Map<string, Provider> =>
  new Map(providers.map((provider) => [provider.name, opened(provider)]));

function opened(provider: SignInProvider): Provider {
  if (provider.kind === "openid") return openIdProvider(provider);
  return provider.kind === "facebook" ? facebookProvider(provider) : twitterProvider(provider);
}
