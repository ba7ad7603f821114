import type { Tx } from "#platform/database";
import type { SignedIn, Viewer } from "#community/rules";
import type {
  AccountsOptions,
  ProviderSignInOptions,
  ProviderAccountOptions,
  ConfirmationResult,
  AddressConfirmationResult,
  ConfirmationProof,
  AddressConfirmationProof,
  SessionKind,
  ClientInfo,
  SessionIdentity,
  ApiIdentity,
  ProviderSignInOutcome,
  RegistrationResult,
  RegistrationStatement,
  SessionEntry,
  SignInResult,
  StartedSession,
} from "./types.ts";
import { type BoundCommand, openAccountsContext } from "./accounts-context.ts";
import type { NewAccount, NewPassword } from "./account-forms.ts";
import { type RequestedMail, sendRequestedMail } from "./emails/requested-mail-job.ts";
import { confirmEmail, changePendingAddress, resendConfirmation } from "./registration/confirm-email.ts";
import { register, type BotCheck } from "./registration/register.ts";
import { signIn } from "./sign-in/sign-in.ts";
import { finishTwoFactor } from "./two-factor/two-factor-challenge.ts";
import { beginTotpSetup, confirmTotpSetup, replaceRecoveryCodes } from "./two-factor/totp.ts";
import {
  endOtherSessions,
  endSession,
  filterAdmins,
  filterLiveSessions,
  findApiIdentityByPerson,
  findApiIdentity,
  findApiIdentityBySession,
  findSessionById,
  findSessionByTicket,
  findSession,
  listSessions,
  signOut,
  createSocketTicket,
} from "./sessions/sessions.ts";
import { sendSignInLink, signInByLink } from "./sign-in/sign-in-link.ts";
import { isResetLinkValid, resetPassword, sendResetLink } from "./sign-in/password-reset.ts";
import {
  changeEmail,
  changePassword,
  changeUsername,
  confirmNewEmail,
  deactivateAccount,
  type AfterErasure,
} from "./profiles/account-changes.ts";
import { completeExport } from "./profiles/personal-export-requests.ts";
import { signInAsGuest } from "./lifecycle/guest-accounts.ts";
import { beginProviderSignIn, finishProviderSignIn, signInWithToken, unlinkProvider } from "./providers/provider-sign-in.ts";
import {
  type ChangePlan,
  changeApiUser,
  changeApiUserWithin,
  type ChangeContext,
  resendConfirmationTo,
  createConfirmationLink,
  signInAs,
  isOwnPassword,
  planApiUserChange,
  type ApiUserChanges,
  sendPasswordLink,
  setUserStatus,
} from "./api-users/manage-api-users.ts";
import {
  createApiUser,
  type ApiUserInput,
  type NewApiUserOptions,
  type PreparedUser,
  prepareApiUser,
} from "./api-users/create-api-user.ts";
import { normalizeProperties } from "./api-users/user-properties.ts";
import type { ApiUser } from "./api-users/api-users.ts";
import type { IdentityProof } from "./two-factor/identity-proof.ts";
import { ensureFirstAdmin } from "./lifecycle/first-admin.ts";
import { type PasskeyCommands, createPasskeyCommands } from "./passkeys/passkey-commands.ts";
import { type AppealNotice, readStandingToken, type StatusNotice, mailAppealNotice, mailStatusNotice } from "./sanctions/own-sanction.ts";
import { disableTotp } from "./two-factor/two-factor-methods.ts";
import { approveAccount, declineAccount } from "./sanctions/account-status.ts";
import { type PictureRemoval, removePersonPicture } from "./sanctions/remove-person-picture.ts";
import { suggestUsername } from "./registration/usernames.ts";
import { needsJoinReason, saveJoinReason } from "./registration/join-reason.ts";

/**
 * Account commands. Each runs in a transaction of its own; slow work (hashing, calls to sign-in providers)
 * happens outside of it. Besides the refusals named, any command can refuse with `too-many` and the seconds
 * to wait.
 */
export type AccountsApi = PasskeyCommands & {
  /** Value of the hidden field `started` of the registration form. */
  formStart: () => string;
  suggestUsername: (name: string) => Promise<string>;
  /**
   * Registers a person. With `guestId` that guest account becomes the new account.
   * @throws `not-allowed` when registration is closed and no valid `invitation` is given (`gone` once it is
   * over), `invalid` by field, `conflict` on `usernameOf`
   */
  register: (
    input: NewAccount,
    from: ClientInfo,
    options?: {
      guard?: BotCheck;
      guestId?: string | undefined;
      invitation?: string | undefined;
      properties?: Record<string, unknown>;
      said?: RegistrationStatement;
      door?: SessionKind;
    },
  ) => Promise<RegistrationResult>;
  /**
   * Opens the account of a confirmation link for the person who proves that the registration is theirs.
   * @throws `gone` for a link that was used, replaced or is older than 48 hours, `invalid` on `password` for
   * a wrong or unsuitable one
   */
  confirmEmail: (token: string, by: ConfirmationProof) => Promise<ConfirmationResult>;
  /**
   * Sends the confirmation again, at most once a minute.
   * @throws `gone` when the registration is no longer open
   */
  resendConfirmation: (pending: string, from: ClientInfo) => Promise<void>;
  /**
   * Returns whether the registration waits for approval and has no join reason yet; people who registered
   * through a sign-in provider have none.
   */
  asksWhy: (pending: string) => Promise<boolean>;
  /**
   * Stores the join reason, once.
   * @throws `invalid` on `reason`, `gone` when the registration is no longer open
   */
  sayWhy: (pending: string, reason: string) => Promise<void>;
  /** Changes the address before confirmation; the result is the same for a taken address. */
  changePendingAddress: (pending: string, email: string, from: ClientInfo) => Promise<{ pending: string }>;

  /**
   * Signs in with name or address and password.
   * @throws `invalid` for any wrong combination, `SignInRefusal` for accounts that wait or are suspended
   */
  signIn: (input: { login: string; password: string; stay?: boolean }, from: ClientInfo, door: SessionKind) => Promise<SignInResult>;
  /**
   * Completes the sign-in with an app code or a recovery code.
   * @throws `invalid` on `code`, `gone` after five attempts or ten minutes
   */
  finishSecondStep: (halfToken: string, code: string, from: ClientInfo, door: SessionKind) => Promise<StartedSession>;
  signInAsGuest: (from: ClientInfo, door: SessionKind) => Promise<StartedSession>;
  /** Identity behind a session token, in one query; null for an invalid or ended session. */
  sessionFor: (token: string, door: SessionKind) => Promise<SessionIdentity | null>;
  /** Person and roles behind an API client's session token, in one query. */
  programFor: (token: string) => Promise<ApiIdentity | null>;
  /** The same by person id, for work that runs later; null for erased, suspended or deactivated people. */
  programAs: (personId: string) => Promise<Pick<ApiIdentity, "viewer" | "roles"> | null>;
  /** The same by session id, for either session kind. */
  programOfSession: (sessionId: string) => Promise<ApiIdentity | null>;
  /**
   * Starts a session for a person without a password, for API clients with the server key.
   * @throws `not-found`, `SignInRefusal`
   */
  enterAs: (viewer: Viewer, personId: string, from: ClientInfo) => Promise<StartedSession>;
  passwordHolds: (viewer: Viewer & { id: string }, password: string) => Promise<boolean>;
  /**
   * Sends the link to set a password to a person named by address, username or id.
   * @throws `not-found`, only where the existence of accounts is not secret
   */
  restorePassword: (viewer: Viewer, identity: string, from: ClientInfo) => Promise<void>;
  confirmAgain: (viewer: Viewer, identity: string, from: ClientInfo) => Promise<void>;
  /** @throws `not-found` for all but API clients with the server key */
  confirmationLink: (viewer: Viewer, identity: string) => Promise<string>;
  setUserStatus: (viewer: Viewer, personId: string, status: "ENABLED" | "DISABLED") => Promise<void>;
  /**
   * Changes an account.
   * @throws `not-found` for other people's accounts except for admins, `not-allowed` when the change needs a
   * more recent session
   */
  changeUser: (viewer: Viewer, id: string, changes: ApiUserChanges, by: ChangeContext) => Promise<ApiUser>;
  /**
   * `changeUser` in two parts: checks and hashing beforehand, then the changes in the caller's transaction.
   */
  planChange: (viewer: Viewer, id: string, changes: ApiUserChanges, by: ChangeContext) => Promise<ChangePlan>;
  changeUserWithin: (tx: Tx, viewer: Viewer, plan: ChangePlan) => Promise<void>;
  /** Checks a new API user and hashes the password, before `createApiUser` stores it. */
  prepareUser: (given: ApiUserInput, from: ClientInfo) => Promise<PreparedUser>;
  /** Stores a prepared user in the caller's transaction; returns the id. */
  createUser: (tx: Tx, viewer: Viewer, user: PreparedUser, options: NewApiUserOptions) => Promise<string>;
  /**
   * Normalizes properties that an API client sets on a person; `growing` creates unknown ones.
   * @throws `invalid`
   */
  settleProperties: (given: Record<string, unknown>, growing: boolean) => Promise<Record<string, unknown>>;
  /** Ticket that the page sends to its socket instead of the cookie, valid for a minute. */
  socketTicket: (sessionId: string) => string;
  /** Identity of a socket ticket; null for an invalid or expired ticket, or an ended session. */
  sessionByTicket: (ticket: string) => Promise<SessionIdentity | null>;
  /**
   * Identity of a session by its id. The id is no secret: the caller must have proof that it was issued to
   * this person. Null once the session has ended.
   */
  sessionById: (id: string) => Promise<SessionIdentity | null>;
  /** Returns those people who are admins now, in one query. */
  adminsAmong: (personIds: string[]) => Promise<Set<string>>;
  /** Returns those sessions that are still valid, in one query. */
  liveSessions: (sessionIds: string[]) => Promise<Set<string>>;
  signOut: (token: string, door: SessionKind) => Promise<void>;
  sessionsOf: (viewer: SignedIn) => Promise<SessionEntry[]>;
  /** @throws `not-found` when the session is not the viewer's */
  endSession: (viewer: SignedIn, sessionId: string) => Promise<void>;
  endOtherSessions: (viewer: SignedIn, keepSessionId: string | null) => Promise<void>;

  /**
   * Sends a sign-in link; the result never reveals whether the account exists. The browser keeps the secret
   * for 15 minutes, so that the link signs in there without a question.
   */
  sendSignInLink: (email: string, from: ClientInfo) => Promise<{ browserSecret: string }>;
  /**
   * Signs in by an emailed link. Returns `confirmEmailAddress` when another browser requested it: ask the person and call
   * again with `confirmed`.
   * @throws `gone` for a used link
   */
  signInByLink: (
    token: string,
    by: { browserSecret?: string | undefined; confirmed?: boolean; stay?: boolean },
    from: ClientInfo,
    door: SessionKind,
  ) => Promise<SignInResult | { kind: "confirm" }>;
  /** Sends an email requested for an address: the work of the job `account-mail`. */
  writeAccountMail: (mail: RequestedMail) => Promise<void>;
  /** Sends a password reset link; the result never reveals whether the account exists. */
  sendResetLink: (email: string, from: ClientInfo) => Promise<void>;
  /** Returns whether a reset link is still valid, without using it. */
  resetLinkHolds: (token: string) => Promise<boolean>;
  /**
   * Sets a new password by an emailed link; two-factor still applies.
   * @throws `gone` for a used link, `invalid` by field
   */
  resetPassword: (token: string, input: NewPassword, from: ClientInfo, door: SessionKind) => Promise<SignInResult>;

  /**
   * Changes the password and ends every other session.
   * @throws `invalid` on `current` or `password`
   */
  changePassword: (viewer: SignedIn, input: { current: string; password: string }, keepSessionId: string | null) => Promise<void>;
  /**
   * Sends a link to the new address, which replaces the old one once confirmed.
   * @throws `invalid` on `password` or `confirmNewEmailAddress`
   */
  changeEmail: (viewer: SignedIn, input: { email: string; password: string }) => Promise<void>;
  /**
   * Confirms a new address for a person who is signed in to the account or gives its password.
   * @throws `gone`, `invalid` on `password`
   */
  confirmNewEmail: (token: string, by: AddressConfirmationProof) => Promise<AddressConfirmationResult>;
  /**
   * Changes the username; the former one keeps redirecting.
   * @throws `too-many` within 30 days, `conflict` when it is taken
   */
  changeUsername: (viewer: SignedIn, username: string) => Promise<void>;
  /**
   * Deactivates the account: signs out everywhere, hides it, and erases it after 30 days, with or without its
   * content. Signing in before that undoes it.
   */
  deactivate: (viewer: SignedIn, password: string, leaving?: AfterErasure) => Promise<void>;
  /** Marks a personal export as ready and notifies its owner. */
  exportReady: (made: { id: string; hash: string; size: number }) => Promise<void>;

  /**
   * Begins the setup of two-factor by app.
   * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
   * whose session is not recent
   */
  beginTotp: (viewer: SignedIn, proof: IdentityProof) => Promise<{ secret: string; uri: string; qr: string }>;
  /**
   * Enables two-factor by app and returns ten recovery codes, shown only once.
   * @throws `invalid` on `code`
   */
  confirmTotp: (viewer: SignedIn, code: string) => Promise<{ recoveryCodes: string[] }>;
  /**
   * Disables two-factor by app. `proof` is the password, an app code or a recovery code.
   * @throws `invalid` on `proof`, `not-allowed` for staff where two-factor is required and no passkey is
   */
  disableTotp: (viewer: SignedIn, proof: string) => Promise<void>;
  newRecoveryCodes: (viewer: SignedIn, proof: string) => Promise<{ recoveryCodes: string[] }>;

  /** Names of the sign-in providers. */
  providers: () => string[];
  /**
   * Begins a sign-in with a provider. Keep `remember` for 10 minutes.
   * @throws `not-found` for an unknown name, `unavailableRefusal` when the provider does not respond
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
  ) => Promise<SignInResult | { kind: "confirm-address"; pending: string } | { kind: "awaiting-approval"; pending: string }>;
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
    door: SessionKind,
  ) => Promise<ProviderSignInOutcome>;
  /** @throws `not-allowed` when it is the only way to sign in */
  unlinkProvider: (viewer: SignedIn, name: string) => Promise<void>;

  /**
   * Removes another person's picture and mails them the reason.
   * @throws `not-found` for all but admins, `invalid` without a reason
   */
  takePicture: (viewer: SignedIn, taken: PictureRemoval) => Promise<void>;
  /**
   * The person behind a standing token (from an email or a refused sign-in), for the page about their account
   * status; null for an invalid token.
   */
  standingOf: (token: string) => Promise<SignedIn | null>;
  /** Mails a person that they were limited or suspended, or that it is over; once per domain event. */
  tellOfStatus: (told: StatusNotice) => Promise<void>;
  /** Mails a person that their appeal was declined. */
  tellOfAppeal: (told: AppealNotice) => Promise<void>;
  /**
   * Approves a pending account and mails its person.
   * @throws `not-allowed` for all but staff, `conflict` when the account is not pending
   */
  approve: (viewer: SignedIn, personId: string) => Promise<void>;
  /**
   * Declines a pending account and mails its person, with the reason if there is one.
   * @throws like `approveAccount`
   */
  decline: (viewer: SignedIn, turned: { personId: string; reason: string }) => Promise<void>;

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
    formStart: () => app.sealer.seal("form", {}, app.now()),
    suggestUsername: (name) => suggestUsername(app.database.db, name),
    register: of(register),
    confirmEmail: of(confirmEmail),
    resendConfirmation: of(resendConfirmation),
    asksWhy: of(needsJoinReason),
    sayWhy: of(saveJoinReason),
    changePendingAddress: of(changePendingAddress),
    signIn: of(signIn),
    finishSecondStep: of(finishTwoFactor),
    signInAsGuest: of(signInAsGuest),
    sessionFor: of(findSession),
    programFor: of(findApiIdentity),
    programAs: of(findApiIdentityByPerson),
    programOfSession: of(findApiIdentityBySession),
    enterAs: of(signInAs),
    passwordHolds: of(isOwnPassword),
    restorePassword: of(sendPasswordLink),
    confirmAgain: of(resendConfirmationTo),
    confirmationLink: of(createConfirmationLink),
    setUserStatus: of(setUserStatus),
    changeUser: of(changeApiUser),
    planChange: of(planApiUserChange),
    changeUserWithin: of(changeApiUserWithin),
    prepareUser: of(prepareApiUser),
    createUser: of(createApiUser),
    settleProperties: (given, growing) => app.inTransaction((tx) => normalizeProperties(tx, given, growing)),
    socketTicket: of(createSocketTicket),
    sessionByTicket: of(findSessionByTicket),
    sessionById: of(findSessionById),
    adminsAmong: of(filterAdmins),
    liveSessions: of(filterLiveSessions),
    signOut: of(signOut),
    sessionsOf: of(listSessions),
    endSession: of(endSession),
    endOtherSessions: of(endOtherSessions),
    sendSignInLink: of(sendSignInLink),
    signInByLink: of(signInByLink),
    writeAccountMail: of(sendRequestedMail),
    sendResetLink: of(sendResetLink),
    resetLinkHolds: of(isResetLinkValid),
    resetPassword: of(resetPassword),
    changePassword: of(changePassword),
    changeEmail: of(changeEmail),
    confirmNewEmail: of(confirmNewEmail),
    changeUsername: of(changeUsername),
    deactivate: of(deactivateAccount),
    exportReady: of(completeExport),
    beginTotp: of(beginTotpSetup),
    confirmTotp: of(confirmTotpSetup),
    disableTotp: of(disableTotp),
    newRecoveryCodes: of(replaceRecoveryCodes),
    ...createPasskeyCommands(of),
    providers: () => [...app.providers.keys()],
    beginProviderSignIn: of(beginProviderSignIn),
    finishProviderSignIn: of(finishProviderSignIn),
    signInWithToken: of(signInWithToken),
    unlinkProvider: of(unlinkProvider),
    takePicture: of(removePersonPicture),
    standingOf: of(readStandingToken),
    tellOfStatus: of(mailStatusNotice),
    tellOfAppeal: of(mailAppealNotice),
    approve: of(approveAccount),
    decline: of(declineAccount),
    ensureFirstAdmin: of(ensureFirstAdmin),
  };
}
