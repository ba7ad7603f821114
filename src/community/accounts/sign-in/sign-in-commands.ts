import type { SessionKind, ClientInfo, SignInResult, StartedSession } from "../types.ts";
import type { BoundCommand } from "../accounts-context.ts";
import type { NewPassword } from "../account-forms.ts";
import { signInAsGuest } from "../lifecycle/guest-accounts.ts";
import { signIn } from "./sign-in.ts";
import { sendSignInLink, signInByLink } from "./sign-in-link.ts";
import { isResetLinkValid, resetPassword, sendResetLink } from "./password-reset.ts";

export type SignInCommands = {
  /**
   * Signs in with name or address and password.
   * @throws `invalid` for any wrong combination, `SignInRefusal` for accounts that wait or are suspended
   */
  signIn: (
    input: { login: string; password: string; stay?: boolean },
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<SignInResult>;
  signInAsGuest: (from: ClientInfo, sessionKind: SessionKind) => Promise<StartedSession>;
  /**
   * Sends a sign-in link; the result never reveals whether the account exists. The browser keeps the secret
   * for 15 minutes, so that the link signs in there without a question.
   */
  sendSignInLink: (email: string, from: ClientInfo) => Promise<{ browserSecret: string }>;
  /**
   * Signs in by an emailed link. Returns `confirm` when another browser requested it: ask the person and call
   * again with `confirmed`.
   * @throws `gone` for a used link
   */
  signInByLink: (
    token: string,
    by: { browserSecret?: string | undefined; confirmed?: boolean; stay?: boolean },
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<SignInResult | { kind: "confirm" }>;
  /** Sends a password reset link; the result never reveals whether the account exists. */
  sendResetLink: (email: string, from: ClientInfo) => Promise<void>;
  /** Returns whether a reset link is still valid, without using it. */
  isResetLinkValid: (token: string) => Promise<boolean>;
  /**
   * Sets a new password by an emailed link; two-factor still applies.
   * @throws `gone` for a used link, `invalid` by field
   */
  resetPassword: (
    token: string,
    input: NewPassword,
    from: ClientInfo,
    sessionKind: SessionKind,
  ) => Promise<SignInResult>;
};

export const createSignInCommands = (of: BoundCommand): SignInCommands => ({
  signIn: of(signIn),
  signInAsGuest: of(signInAsGuest),
  sendSignInLink: of(sendSignInLink),
  signInByLink: of(signInByLink),
  sendResetLink: of(sendResetLink),
  isResetLinkValid: of(isResetLinkValid),
  resetPassword: of(resetPassword),
});
