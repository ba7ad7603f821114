import type { Tx } from "#platform/database";
import type { SignedIn, Viewer } from "#community/rules";
import type {
  AccountsOptions,
  Beginning,
  Coming,
  Confirmed,
  ConfirmedAddress,
  Confirming,
  ConfirmingAddress,
  Door,
  From,
  Present,
  Program,
  ProviderSignIn,
  Registered,
  Said,
  SessionLine,
  SignIn,
  StartedSession,
} from "./door.ts";
import { type OfHouse, openHouse } from "./house.ts";
import type { NewAccount, NewPassword } from "./forms.ts";
import { type AccountMail, writeAccountMail } from "./account-mail.ts";
import { confirmEmail, changePendingAddress, resendConfirmation } from "./confirm.ts";
import { register, type Guard } from "./register.ts";
import { signIn } from "./sign-in.ts";
import { finishSecondStep } from "./second-step.ts";
import { beginTotp, confirmTotp, newRecoveryCodes } from "./totp.ts";
import {
  endOtherSessions,
  endSession,
  adminsAmong,
  liveSessions,
  programAs,
  programFor,
  programOfSession,
  sessionById,
  sessionByTicket,
  sessionFor,
  sessionsOf,
  signOut,
  socketTicket,
} from "./sessions.ts";
import { sendSignInLink, signInByLink } from "./sign-in-link.ts";
import { resetLinkHolds, resetPassword, sendResetLink } from "./reset.ts";
import { changeEmail, changePassword, changeUsername, confirmNewEmail, deactivate, type Leaving } from "./change.ts";
import { exportReady } from "./exports.ts";
import { signInAsGuest } from "./guests.ts";
import { beginProviderSignIn, finishProviderSignIn, signInWithToken, unlinkProvider } from "./provider-sign-in.ts";
import {
  type ChangePlan,
  changeUser,
  changeUserWithin,
  type Changing,
  confirmAgain,
  confirmationLink,
  enterAs,
  passwordHolds,
  planChange,
  type ProgramChanges,
  restorePassword,
  setUserStatus,
} from "./programs/accounts.ts";
import { createUser, type GivenUser, type NewUserOptions, type PreparedUser, prepareUser } from "./programs/create-user.ts";
import { settleProperties } from "./programs/properties.ts";
import type { ProgramUser } from "./programs/users.ts";
import type { Proof } from "./proof.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { type PasskeyVerbs, passkeyVerbs } from "./passkeys/verbs.ts";
import { type AppealTold, standingOf, type StatusTold, tellOfAppeal, tellOfStatus } from "./sanctions.ts";
import { disableTotp } from "./steps.ts";
import { approve, decline } from "./status.ts";
import { type Taken, takePicture } from "./take-picture.ts";
import { suggestUsername } from "./usernames.ts";
import { asksWhy, sayWhy } from "./why.ts";

/**
 * Account commands. Each runs in a transaction of its own; slow work (hashing, calls to sign-in providers)
 * happens outside of it. Besides the refusals named, any command can refuse with `too-many` and the seconds
 * to wait.
 */
export type Accounts = PasskeyVerbs & {
  /** Value of the hidden field `started` of the registration form. */
  formStart: () => string;
  suggestUsername: (name: string) => Promise<string>;
  /**
   * Registers a person. With `guestId` that guest account becomes the new account.
   * @throws `not-allowed` when registration is closed and no valid `invitation` is given (`gone` once it is
   * over), `invalid` by field, `conflict` on `username`
   */
  register: (
    input: NewAccount,
    from: From,
    options?: {
      guard?: Guard;
      guestId?: string | undefined;
      invitation?: string | undefined;
      properties?: Record<string, unknown>;
      said?: Said;
      door?: Door;
    },
  ) => Promise<Registered>;
  /**
   * Opens the account of a confirmation link for the person who proves that the registration is theirs.
   * @throws `gone` for a link that was used, replaced or is older than 48 hours, `invalid` on `password` for
   * a wrong or unsuitable one
   */
  confirmEmail: (token: string, by: Confirming) => Promise<Confirmed>;
  /**
   * Sends the confirmation again, at most once a minute.
   * @throws `gone` when the registration is no longer open
   */
  resendConfirmation: (pending: string, from: From) => Promise<void>;
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
  changePendingAddress: (pending: string, email: string, from: From) => Promise<{ pending: string }>;

  /**
   * Signs in with name or address and password.
   * @throws `invalid` for any wrong combination, `SignInRefusal` for accounts that wait or are suspended
   */
  signIn: (input: { login: string; password: string; stay?: boolean }, from: From, door: Door) => Promise<SignIn>;
  /**
   * Completes the sign-in with an app code or a recovery code.
   * @throws `invalid` on `code`, `gone` after five attempts or ten minutes
   */
  finishSecondStep: (halfToken: string, code: string, from: From, door: Door) => Promise<StartedSession>;
  signInAsGuest: (from: From, door: Door) => Promise<StartedSession>;
  /** Identity behind a session token, in one query; null for an invalid or ended session. */
  sessionFor: (token: string, door: Door) => Promise<Present | null>;
  /** Person and roles behind an API client's session token, in one query. */
  programFor: (token: string) => Promise<Program | null>;
  /** The same by person id, for work that runs later; null for erased, suspended or deactivated people. */
  programAs: (personId: string) => Promise<Pick<Program, "viewer" | "roles"> | null>;
  /** The same by session id, for either session kind. */
  programOfSession: (sessionId: string) => Promise<Program | null>;
  /**
   * Starts a session for a person without a password, for API clients with the server key.
   * @throws `not-found`, `SignInRefusal`
   */
  enterAs: (viewer: Viewer, personId: string, from: From) => Promise<StartedSession>;
  passwordHolds: (viewer: Viewer & { id: string }, password: string) => Promise<boolean>;
  /**
   * Sends the link to set a password to a person named by address, username or id.
   * @throws `not-found`, only where the existence of accounts is not secret
   */
  restorePassword: (viewer: Viewer, identity: string, from: From) => Promise<void>;
  confirmAgain: (viewer: Viewer, identity: string, from: From) => Promise<void>;
  /** @throws `not-found` for all but API clients with the server key */
  confirmationLink: (viewer: Viewer, identity: string) => Promise<string>;
  setUserStatus: (viewer: Viewer, personId: string, status: "ENABLED" | "DISABLED") => Promise<void>;
  /**
   * Changes an account.
   * @throws `not-found` for other people's accounts except for admins, `not-allowed` when the change needs a
   * more recent session
   */
  changeUser: (viewer: Viewer, id: string, changes: ProgramChanges, by: Changing) => Promise<ProgramUser>;
  /**
   * `changeUser` in two parts: checks and hashing beforehand, then the changes in the caller's transaction.
   */
  planChange: (viewer: Viewer, id: string, changes: ProgramChanges, by: Changing) => Promise<ChangePlan>;
  changeUserWithin: (tx: Tx, viewer: Viewer, plan: ChangePlan) => Promise<void>;
  /** Checks a new API user and hashes the password, before `createUser` stores it. */
  prepareUser: (given: GivenUser, from: From) => Promise<PreparedUser>;
  /** Stores a prepared user in the caller's transaction; returns the id. */
  createUser: (tx: Tx, viewer: Viewer, user: PreparedUser, options: NewUserOptions) => Promise<string>;
  /**
   * Normalizes properties that an API client sets on a person; `growing` creates unknown ones.
   * @throws `invalid`
   */
  settleProperties: (given: Record<string, unknown>, growing: boolean) => Promise<Record<string, unknown>>;
  /** Ticket that the page sends to its socket instead of the cookie, valid for a minute. */
  socketTicket: (sessionId: string) => string;
  /** Identity of a socket ticket; null for an invalid or expired ticket, or an ended session. */
  sessionByTicket: (ticket: string) => Promise<Present | null>;
  /**
   * Identity of a session by its id. The id is no secret: the caller must have proof that it was issued to
   * this person. Null once the session has ended.
   */
  sessionById: (id: string) => Promise<Present | null>;
  /** Returns those people who are admins now, in one query. */
  adminsAmong: (personIds: string[]) => Promise<Set<string>>;
  /** Returns those sessions that are still valid, in one query. */
  liveSessions: (sessionIds: string[]) => Promise<Set<string>>;
  signOut: (token: string, door: Door) => Promise<void>;
  sessionsOf: (viewer: SignedIn) => Promise<SessionLine[]>;
  /** @throws `not-found` when the session is not the viewer's */
  endSession: (viewer: SignedIn, sessionId: string) => Promise<void>;
  endOtherSessions: (viewer: SignedIn, keepSessionId: string | null) => Promise<void>;

  /**
   * Sends a sign-in link; the result never reveals whether the account exists. The browser keeps the secret
   * for 15 minutes, so that the link signs in there without a question.
   */
  sendSignInLink: (email: string, from: From) => Promise<{ browserSecret: string }>;
  /**
   * Signs in by an emailed link. Returns `confirm` when another browser requested it: ask the person and call
   * again with `confirmed`.
   * @throws `gone` for a used link
   */
  signInByLink: (
    token: string,
    by: { browserSecret?: string | undefined; confirmed?: boolean; stay?: boolean },
    from: From,
    door: Door,
  ) => Promise<SignIn | { kind: "confirm" }>;
  /** Sends an email requested for an address: the work of the job `account-mail`. */
  writeAccountMail: (mail: AccountMail) => Promise<void>;
  /** Sends a password reset link; the result never reveals whether the account exists. */
  sendResetLink: (email: string, from: From) => Promise<void>;
  /** Returns whether a reset link is still valid, without using it. */
  resetLinkHolds: (token: string) => Promise<boolean>;
  /**
   * Sets a new password by an emailed link; two-factor still applies.
   * @throws `gone` for a used link, `invalid` by field
   */
  resetPassword: (token: string, input: NewPassword, from: From, door: Door) => Promise<SignIn>;

  /**
   * Changes the password and ends every other session.
   * @throws `invalid` on `current` or `password`
   */
  changePassword: (viewer: SignedIn, input: { current: string; password: string }, keepSessionId: string | null) => Promise<void>;
  /**
   * Sends a link to the new address, which replaces the old one once confirmed.
   * @throws `invalid` on `password` or `email`
   */
  changeEmail: (viewer: SignedIn, input: { email: string; password: string }) => Promise<void>;
  /**
   * Confirms a new address for a person who is signed in to the account or gives its password.
   * @throws `gone`, `invalid` on `password`
   */
  confirmNewEmail: (token: string, by: ConfirmingAddress) => Promise<ConfirmedAddress>;
  /**
   * Changes the username; the former one keeps redirecting.
   * @throws `too-many` within 30 days, `conflict` when it is taken
   */
  changeUsername: (viewer: SignedIn, username: string) => Promise<void>;
  /**
   * Deactivates the account: signs out everywhere, hides it, and erases it after 30 days, with or without its
   * content. Signing in before that undoes it.
   */
  deactivate: (viewer: SignedIn, password: string, leaving?: Leaving) => Promise<void>;
  /** Marks a personal export as ready and notifies its owner. */
  exportReady: (made: { id: string; hash: string; size: number }) => Promise<void>;

  /**
   * Begins the setup of two-factor by app.
   * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither
   * whose session is not recent
   */
  beginTotp: (viewer: SignedIn, proof: Proof) => Promise<{ secret: string; uri: string; qr: string }>;
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
   * @throws `not-found` for an unknown name, `unavailable` when the provider does not respond
   */
  beginProviderSignIn: (name: string, returnTo: string, options?: Beginning) => Promise<{ redirectTo: string; remember: string }>;
  /**
   * Signs in by a provider's access token (with its secret for OAuth 1) that an API client holds. A guest
   * becomes the account of a new person.
   * @throws `not-allowed` unless the provider confirms that the token was issued for us
   */
  signInWithToken: (
    name: string,
    accessToken: string,
    secret: string | null,
    from: From,
    coming?: Coming,
  ) => Promise<SignIn | { kind: "confirm-address"; pending: string } | { kind: "awaiting-approval"; pending: string }>;
  /**
   * Finishes a sign-in with a provider.
   * @throws `invalid` when the response does not match the request, `not-allowed` when registration is
   * closed, `gone` for an invitation that is over, `conflict` when the identity is linked to another account
   */
  finishProviderSignIn: (name: string, callbackUrl: string, remember: string, from: From, door: Door) => Promise<ProviderSignIn>;
  /** @throws `not-allowed` when it is the only way to sign in */
  unlinkProvider: (viewer: SignedIn, name: string) => Promise<void>;

  /**
   * Removes another person's picture and mails them the reason.
   * @throws `not-found` for all but admins, `invalid` without a reason
   */
  takePicture: (viewer: SignedIn, taken: Taken) => Promise<void>;
  /**
   * The person behind a standing token (from an email or a refused sign-in), for the page about their account
   * status; null for an invalid token.
   */
  standingOf: (token: string) => Promise<SignedIn | null>;
  /** Mails a person that they were limited or suspended, or that it is over; once per domain event. */
  tellOfStatus: (told: StatusTold) => Promise<void>;
  /** Mails a person that their appeal was declined. */
  tellOfAppeal: (told: AppealTold) => Promise<void>;
  /**
   * Approves a pending account and mails its person.
   * @throws `not-allowed` for all but staff, `conflict` when the account is not pending
   */
  approve: (viewer: SignedIn, personId: string) => Promise<void>;
  /**
   * Declines a pending account and mails its person, with the reason if there is one.
   * @throws like `approve`
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

export function openAccounts(options: AccountsOptions): Accounts {
  const house = openHouse(options);
  const of: OfHouse =
    (verb) =>
    (...args) =>
      verb(house, ...args);
  return {
    formStart: () => house.sealer.seal("form", {}, house.now()),
    suggestUsername: (name) => suggestUsername(house.database.db, name),
    register: of(register),
    confirmEmail: of(confirmEmail),
    resendConfirmation: of(resendConfirmation),
    asksWhy: of(asksWhy),
    sayWhy: of(sayWhy),
    changePendingAddress: of(changePendingAddress),
    signIn: of(signIn),
    finishSecondStep: of(finishSecondStep),
    signInAsGuest: of(signInAsGuest),
    sessionFor: of(sessionFor),
    programFor: of(programFor),
    programAs: of(programAs),
    programOfSession: of(programOfSession),
    enterAs: of(enterAs),
    passwordHolds: of(passwordHolds),
    restorePassword: of(restorePassword),
    confirmAgain: of(confirmAgain),
    confirmationLink: of(confirmationLink),
    setUserStatus: of(setUserStatus),
    changeUser: of(changeUser),
    planChange: of(planChange),
    changeUserWithin: of(changeUserWithin),
    prepareUser: of(prepareUser),
    createUser: of(createUser),
    settleProperties: (given, growing) => house.inTransaction((tx) => settleProperties(tx, given, growing)),
    socketTicket: of(socketTicket),
    sessionByTicket: of(sessionByTicket),
    sessionById: of(sessionById),
    adminsAmong: of(adminsAmong),
    liveSessions: of(liveSessions),
    signOut: of(signOut),
    sessionsOf: of(sessionsOf),
    endSession: of(endSession),
    endOtherSessions: of(endOtherSessions),
    sendSignInLink: of(sendSignInLink),
    signInByLink: of(signInByLink),
    writeAccountMail: of(writeAccountMail),
    sendResetLink: of(sendResetLink),
    resetLinkHolds: of(resetLinkHolds),
    resetPassword: of(resetPassword),
    changePassword: of(changePassword),
    changeEmail: of(changeEmail),
    confirmNewEmail: of(confirmNewEmail),
    changeUsername: of(changeUsername),
    deactivate: of(deactivate),
    exportReady: of(exportReady),
    beginTotp: of(beginTotp),
    confirmTotp: of(confirmTotp),
    disableTotp: of(disableTotp),
    newRecoveryCodes: of(newRecoveryCodes),
    ...passkeyVerbs(of),
    providers: () => [...house.providers.keys()],
    beginProviderSignIn: of(beginProviderSignIn),
    finishProviderSignIn: of(finishProviderSignIn),
    signInWithToken: of(signInWithToken),
    unlinkProvider: of(unlinkProvider),
    takePicture: of(takePicture),
    standingOf: of(standingOf),
    tellOfStatus: of(tellOfStatus),
    tellOfAppeal: of(tellOfAppeal),
    approve: of(approve),
    decline: of(decline),
    ensureFirstAdmin: of(ensureFirstAdmin),
  };
}
