import type { AccountsOptions } from "./types.ts";
import { type BoundCommand, openAccountsContext } from "./accounts-context.ts";
import { type RequestedMail, sendRequestedMail } from "./emails/requested-mail-job.ts";
import { ensureFirstAdmin } from "./lifecycle/first-admin.ts";
import {
  type RegistrationCommands,
  createRegistrationCommands,
} from "./registration/registration-commands.ts";
import { type SignInCommands, createSignInCommands } from "./sign-in/sign-in-commands.ts";
import { type SessionCommands, createSessionCommands } from "./sessions/session-commands.ts";
import { type ApiUserCommands, createApiUserCommands } from "./api-users/api-user-commands.ts";
import { type OwnAccountCommands, createOwnAccountCommands } from "./profiles/own-account-commands.ts";
import { type TwoFactorCommands, createTwoFactorCommands } from "./two-factor/two-factor-commands.ts";
import { type PasskeyCommands, createPasskeyCommands } from "./passkeys/passkey-commands.ts";
import { type ProviderCommands, createProviderCommands } from "./providers/provider-commands.ts";
import {
  type AccountStatusCommands,
  createAccountStatusCommands,
} from "./sanctions/account-status-commands.ts";

/**
 * Account commands. Each runs in a transaction of its own; slow work (hashing, calls to sign-in providers)
 * happens outside of it. Besides the refusals named, any command can refuse with `too-many` and the seconds
 * to wait.
 */
export type AccountsApi = RegistrationCommands &
  SignInCommands &
  SessionCommands &
  ApiUserCommands &
  OwnAccountCommands &
  TwoFactorCommands &
  PasskeyCommands &
  ProviderCommands &
  AccountStatusCommands & {
    /** Sends an email requested for an address: the work of the job `account-mail`. */
    writeAccountMail: (mail: RequestedMail) => Promise<void>;
    /**
     * Returns null when there is an admin already; otherwise, if no password was given, the link to set one.
     */
    ensureFirstAdmin: (admin: {
      email: string;
      password: string | null;
      name?: string;
    }) => Promise<{ personId: string; link: string | null } | null>;
  };

export function openAccounts(options: AccountsOptions): AccountsApi {
  const app = openAccountsContext(options);
  const of: BoundCommand =
    (verb) =>
    (...args) =>
      verb(app, ...args);
  return {
    ...createRegistrationCommands(of),
    ...createSignInCommands(of),
    ...createSessionCommands(of),
    ...createApiUserCommands(of),
    ...createOwnAccountCommands(of),
    ...createTwoFactorCommands(of),
    ...createPasskeyCommands(of),
    ...createProviderCommands(of),
    ...createAccountStatusCommands(of),
    writeAccountMail: of(sendRequestedMail),
    ensureFirstAdmin: of(ensureFirstAdmin),
  };
}
