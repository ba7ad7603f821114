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
 * Everything about accounts. Each verb runs in a transaction of its own: what is slow (hashing, other houses) happens
 * outside of it. Besides the refusals named, any verb can refuse with `too-many` and the seconds to wait.
 */
export type Accounts = PasskeyVerbs & {
  /** For the hidden field `started` of the registration form. */
  formStart: () => string;
  suggestUsername: (name: string) => Promise<string>;
  /** `not-allowed` when closed, unless `invitation` lets in (`gone` once it is over); `invalid` by field; `conflict` on `username`. With `guestId` the guest's account becomes it. */
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
   * Opens the account that the mail was about, for whoever shows that the registration is theirs. `gone` for a link that
   * is spent, replaced or older than 48 hours; `invalid` on `password` for a wrong one, or a new one that will not do.
   */
  confirmEmail: (token: string, by: Confirming) => Promise<Confirmed>;
  /** Writes the confirmation again, at most once a minute. `gone` when the registration is no longer open. */
  resendConfirmation: (pending: string, from: From) => Promise<void>;
  /** Whether whoever registered waits for a human, and has yet to say what brings them here: those who come from another house do. */
  asksWhy: (pending: string) => Promise<boolean>;
  /** Says it, once. `invalid` on `reason`; `gone` when the registration is no longer open. */
  sayWhy: (pending: string, reason: string) => Promise<void>;
  /** Another address before confirming; the answer is the same for one that is taken. */
  changePendingAddress: (pending: string, email: string, from: From) => Promise<{ pending: string }>;

  /** One refusal (`invalid`) for everything that does not fit; `SignInRefusal` for accounts that wait or are shut out. */
  signIn: (input: { login: string; password: string; stay?: boolean }, from: From, door: Door) => Promise<SignIn>;
  /** Takes a code of the app or a recovery code. `invalid` on `code`; `gone` after five tries or ten minutes. */
  finishSecondStep: (halfToken: string, code: string, from: From, door: Door) => Promise<StartedSession>;
  signInAsGuest: (from: From, door: Door) => Promise<StartedSession>;
  /** Who this token stands for, in one query; null when it stands for nobody (any more). */
  sessionFor: (token: string, door: Door) => Promise<Present | null>;
  /** Who a program's token stands for, and with which roles, in one query. */
  programFor: (token: string) => Promise<Program | null>;
  /** The same of somebody by their id, for what is done for them later; null for who is gone, or shut out. */
  programAs: (personId: string) => Promise<Pick<Program, "viewer" | "roles"> | null>;
  /** The same of a session that is known by its id, at whichever door it began. */
  programOfSession: (sessionId: string) => Promise<Program | null>;
  /** For programs with the server key: a session of somebody, without a password. `not-found`; `SignInRefusal`. */
  enterAs: (viewer: Viewer, personId: string, from: From) => Promise<StartedSession>;
  passwordHolds: (viewer: Viewer & { id: string }, password: string) => Promise<boolean>;
  /** By address, user name or id. `not-found` only where it is no secret who has an account. */
  restorePassword: (viewer: Viewer, identity: string, from: From) => Promise<void>;
  confirmAgain: (viewer: Viewer, identity: string, from: From) => Promise<void>;
  /** `not-found` for all but programs with the server key. */
  confirmationLink: (viewer: Viewer, identity: string) => Promise<string>;
  setUserStatus: (viewer: Viewer, personId: string, status: "ENABLED" | "DISABLED") => Promise<void>;
  /** `not-found` for what is not one's own, unless one is an admin; `not-allowed` when that wants a newer session. */
  changeUser: (viewer: Viewer, id: string, changes: ProgramChanges, by: Changing) => Promise<ProgramUser>;
  /** The same in two parts: what is looked at and hashed beforehand, and what a transaction of the caller's stores. */
  planChange: (viewer: Viewer, id: string, changes: ProgramChanges, by: Changing) => Promise<ChangePlan>;
  changeUserWithin: (tx: Tx, viewer: Viewer, plan: ChangePlan) => Promise<void>;
  /** Checks a new user of an API client and hashes the password, before `createUser` stores it. */
  prepareUser: (given: GivenUser, from: From) => Promise<PreparedUser>;
  /** Stores a prepared user in a transaction of the caller's; the id. */
  createUser: (tx: Tx, viewer: Viewer, user: PreparedUser, options: NewUserOptions) => Promise<string>;
  /** What a program gave of its own for a person, as it is kept; `growing` makes what is new. `invalid` for what does not fit. */
  settleProperties: (given: Record<string, unknown>, growing: boolean) => Promise<Record<string, unknown>>;
  /** For the page of a session: what its socket shows instead of the cookie, within a minute. */
  socketTicket: (sessionId: string) => string;
  /** Whose ticket this is; null when it is none of ours, too old, or of a session that has ended. */
  sessionByTicket: (ticket: string) => Promise<Present | null>;
  /** Of a session's id, which is no secret: whoever asks has proof that it was told to its person. Null once it has ended. */
  sessionById: (id: string) => Promise<Present | null>;
  /** Which of these people are admins at this moment, in one query. */
  adminsAmong: (personIds: string[]) => Promise<Set<string>>;
  /** Which of these sessions still stand for somebody, in one query. */
  liveSessions: (sessionIds: string[]) => Promise<Set<string>>;
  signOut: (token: string, door: Door) => Promise<void>;
  sessionsOf: (viewer: SignedIn) => Promise<SessionLine[]>;
  /** `not-found` when it is not the viewer's. */
  endSession: (viewer: SignedIn, sessionId: string) => Promise<void>;
  endOtherSessions: (viewer: SignedIn, keepSessionId: string | null) => Promise<void>;

  /** One answer always. The browser keeps the secret for 15 minutes, so that the link opens by itself there. */
  sendSignInLink: (email: string, from: From) => Promise<{ browserSecret: string }>;
  /** `confirm` when another browser asked for the link: ask, and come back with `confirmed`. `gone` for a spent link. */
  signInByLink: (
    token: string,
    by: { browserSecret?: string | undefined; confirmed?: boolean; stay?: boolean },
    from: From,
    door: Door,
  ) => Promise<SignIn | { kind: "confirm" }>;
  /** Writes a mail that was asked for by an address: the work of the job `account-mail`. */
  writeAccountMail: (mail: AccountMail) => Promise<void>;
  /** One answer always. */
  sendResetLink: (email: string, from: From) => Promise<void>;
  /** Whether the link of a mail can still set a password; nothing is spent by asking. */
  resetLinkHolds: (token: string) => Promise<boolean>;
  /** `gone` for a spent link; `invalid` by field for a password that will not do. A second step is still asked for. */
  resetPassword: (token: string, input: NewPassword, from: From, door: Door) => Promise<SignIn>;

  /** Ends every other session. `invalid` on `current` or `password`. */
  changePassword: (viewer: SignedIn, input: { current: string; password: string }, keepSessionId: string | null) => Promise<void>;
  /** Writes to the new address; it holds once confirmed there. `invalid` on `password` or `email`. */
  changeEmail: (viewer: SignedIn, input: { email: string; password: string }) => Promise<void>;
  /** For whoever is signed in to the account, or shows its password. `gone`; `invalid` on `password`. */
  confirmNewEmail: (token: string, by: ConfirmingAddress) => Promise<ConfirmedAddress>;
  /** At most once in 30 days (`too-many`); the former name keeps leading here. `conflict` when it is taken. */
  changeUsername: (viewer: SignedIn, username: string) => Promise<void>;
  /** Leaves: signed out everywhere, hidden, erased after 30 days, with or without what they wrote; signing in before that undoes it. */
  deactivate: (viewer: SignedIn, password: string, leaving?: Leaving) => Promise<void>;
  /** An export that somebody asked for is made: it can be fetched from now on, and they hear of it. */
  exportReady: (made: { id: string; hash: string; size: number }) => Promise<void>;

  /** `invalid` on `proof` without the password or a code; whoever has neither must have signed in a moment ago (`not-allowed`). */
  beginTotp: (viewer: SignedIn, proof: Proof) => Promise<{ secret: string; uri: string; qr: string }>;
  /** Switches the second step on and gives ten recovery codes, shown this once. `invalid` on `code`. */
  confirmTotp: (viewer: SignedIn, code: string) => Promise<{ recoveryCodes: string[] }>;
  /** The password, a code or a recovery code. `invalid` on `proof`; `not-allowed` for staff where it is required, unless a passkey is asked for. */
  disableTotp: (viewer: SignedIn, proof: string) => Promise<void>;
  newRecoveryCodes: (viewer: SignedIn, proof: string) => Promise<{ recoveryCodes: string[] }>;

  /** Names of the houses one can come from. */
  providers: () => string[];
  /** `not-found` for a name we do not know; `unavailable` when the house does not answer. Keep `remember` for 10 minutes. */
  beginProviderSignIn: (name: string, returnTo: string, options?: Beginning) => Promise<{ redirectTo: string; remember: string }>;
  /** By a token that the other house gave to a program, and its secret in the way of OAuth 1, if that house vouches for whom it was made: `not-allowed` otherwise. A guest becomes who comes for the first time. */
  signInWithToken: (
    name: string,
    accessToken: string,
    secret: string | null,
    from: From,
    coming?: Coming,
  ) => Promise<SignIn | { kind: "confirm-address"; pending: string } | { kind: "awaiting-approval"; pending: string }>;
  /** `invalid` when the answer does not fit what was begun; `not-allowed` when registration is closed, `gone` for an invitation that is over; `conflict` in linking. */
  finishProviderSignIn: (name: string, callbackUrl: string, remember: string, from: From, door: Door) => Promise<ProviderSignIn>;
  /** `not-allowed` when it is the only way in. */
  unlinkProvider: (viewer: SignedIn, name: string) => Promise<void>;

  /** Takes somebody else's picture away and writes to them why. `not-found` for all but admins; `invalid` without a reason. */
  takePicture: (viewer: SignedIn, taken: Taken) => Promise<void>;
  /** Whoever the link of a mail, or a sign-in that was refused, leads to how their account stands, as themselves; null for none of ours. */
  standingOf: (token: string) => Promise<SignedIn | null>;
  /** Writes to somebody that they were limited, suspended, or that it is over: once for each happening. */
  tellOfStatus: (told: StatusTold) => Promise<void>;
  /** And that it stays, to who had asked for something else. */
  tellOfAppeal: (told: AppealTold) => Promise<void>;
  /** Lets in who waits for a human, and writes to them. `not-allowed` for all but staff; `conflict` when they do not wait. */
  approve: (viewer: SignedIn, personId: string) => Promise<void>;
  /** Turns away who waits for a human, and writes to them, with the reason where there is one. Refused like `approve`. */
  decline: (viewer: SignedIn, turned: { personId: string; reason: string }) => Promise<void>;

  /** Null when there is an admin already; otherwise the link that sets the password, when none was given. */
  ensureFirstAdmin: (admin: {
    email: string;
    password: string | null;
    name?: string;
  }) => Promise<{ personId: string; link: string | null } | null>;
};

/** Opens the accounts of this house. */
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
