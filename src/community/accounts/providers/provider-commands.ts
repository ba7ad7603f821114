import type { SignedIn } from "#community/rules";
import type {
  ProviderSignInOptions,
  ProviderAccountOptions,
  SessionKind,
  ClientInfo,
  ProviderSignInOutcome,
  SignInResult,
} from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import {
  beginProviderSignIn,
  finishProviderSignIn,
  signInWithToken,
  unlinkProvider,
} from "./provider-sign-in.ts";

export type ProviderCommands = {
  /** Names of the sign-in providers. */
  providers: () => string[];
  /**
   * Begins a sign-in with a provider. Keep `remember` for 10 minutes.
   * @throws `not-found` for an unknown name, `unavailable` when the provider does not respond
   */
  beginProviderSignIn: (
    name: string,
    returnTo: string,
    options?: ProviderSignInOptions,
  ) => Promise<{ redirectTo: string; remember: string }>;
  /**
   * Signs in by a provider's access token (with its secret for OAuth 1) that an API client holds. A guest
   * becomes the account of a new person.
   * @throws `not-allowed` unless the provider confirms that the token was issued for us
   */
  signInWithToken: (
    name: string,
    accessToken: string,
    secret: string | null,
    from: ClientInfo,
    coming?: ProviderAccountOptions,
  ) => Promise<
    | SignInResult
    | { kind: "confirm-address"; pending: string }
    | { kind: "awaiting-approval"; pending: string }
  >;
  /**
   * Finishes a sign-in with a provider.
   * @throws `invalid` when the response does not match the request, `not-allowed` when registration is
   * closed, `gone` for an invitation that is over, `conflict` when the identity is linked to another account
   */
  finishProviderSignIn: (
    name: string,
    callbackUrl: string,
    remember: string,
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<ProviderSignInOutcome>;
  /** @throws `not-allowed` when it is the only way to sign in */
  unlinkProvider: (viewer: SignedIn, name: string) => Promise<void>;
};

export const createProviderCommands = (of: BoundCommand): ProviderCommands => ({
  providers: of((app) => [...app.providers.keys()]),
  beginProviderSignIn: of(beginProviderSignIn),
  signInWithToken: of(signInWithToken),
  finishProviderSignIn: of(finishProviderSignIn),
  unlinkProvider: of(unlinkProvider),
});
