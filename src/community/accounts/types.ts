import type { SignedIn, Viewer } from "#community/rules";

/** Kind of a session. One kind is never accepted for the other: pages use a cookie, API clients a header. */
export type SessionKind = "web" | "api";

/** Client of a request. Only hashes of it are stored. */
export type ClientInfo = {
  address: string;
  userAgent: string;
  acceptLanguage: string;
  /** Secret that the browser received at its last sign-in. It identifies the browser. */
  deviceSecret?: string | undefined;
  /** The client is a server that acts for many people: its address is exempt from limits. */
  trusted?: boolean;
};

/**
 * A registration by invitation. `who` identifies the registration, so that repeating it uses no second
 * place; `personId` is the id of the future account.
 */
export type InvitedRegistration = { token: string; email: string | null; who: string; personId: string };

/**
 * Proof that the registration belongs to the person who opened the confirmation link. One of the four fields
 * is needed.
 */
export type ConfirmationProof = {
  pending?: string | undefined;
  password?: string | undefined;
  newPassword?: string | undefined;
  /** The owner of the address takes over the account; its password and other ways to sign in are removed. */
  withoutPassword?: boolean | undefined;
};
/** `password`: the link is not used yet, since there was no proof that the registration is the person's. */
export type ConfirmationResult =
  | {
      kind: "confirmed";
      personId: string;
      username: string;
      state: "active" | "pending_approval";
      /** Null where no sign-in was requested, and for an account that waits for approval. */
      signIn: SignInResult | null;
    }
  | { kind: "password"; username: string; hasPassword: boolean };

/** Proof for a new address: the signed-in person, or the password. */
export type AddressConfirmationProof = { viewerId: string | null; password?: string | undefined };
/** `password`: the link is not used yet. The account's password is needed. */
export type AddressConfirmationResult = { kind: "confirmed"; personId: string } | { kind: "password" };

/** A session that has just started. Only its holder knows the token. */
export type StartedSession = {
  id: string;
  token: string;
  personId: string;
  /** "Stay signed in": the cookie survives the end of the browser session. */
  stay: boolean;
  expiresAt: Date;
  /** The browser stores this secret for a year and sends it with later sign-ins. */
  deviceSecret: string;
};

export type SignInResult =
  | { kind: "signed-in"; session: StartedSession }
  /**
   * The password was right; an app code, or a passkey of this site, is needed next. The challenge token is
   * valid for ten minutes.
   */
  | { kind: "second-step"; challengeToken: string; passkey: boolean };

/** Result of a sign-in through a provider. */
export type ProviderSignInOutcome =
  | (SignInResult & { returnTo: string })
  /**
   * A new account whose address must be confirmed first (or entered, if the provider named no verified
   * address).
   */
  | { kind: "confirm-address"; pending: string; returnTo: string }
  | { kind: "awaiting-approval"; pending: string; returnTo: string }
  /** A signed-in person has linked the provider to their account. */
  | { kind: "linked"; returnTo: string };

/**
 * Maps provider claims to properties that an API client stores; `canAddColumns` creates unknown properties.
 */
export type ProviderPropertyMap = { fields: Record<string, string>; canAddColumns: boolean };
/**
 * Options of a provider sign-in: account to link, session kind, invitation, and the properties to store
 * afterwards.
 */
export type ProviderSignInOptions = {
  linkTo?: SignedIn | undefined;
  sessionKind?: SessionKind;
  invitation?: string | undefined;
  keeping?: ProviderPropertyMap | null;
};
/**
 * Options for the account of a provider identity: the guest to convert, the invitation, and the properties
 * to store.
 */
export type ProviderAccountOptions = {
  guestId?: string | undefined;
  invitation?: string | undefined;
  keeping?: ProviderPropertyMap | null;
};

/** Join reason and accepted rules version of a registration. */
export type RegistrationStatement = { reason: string; rulesVersion: number };

/** Result of a registration: the same whether the address was free or not. */
export type RegistrationResult = {
  id: string;
  username: string;
  state: "unverified" | "pending_approval" | "active";
  /**
   * Token with which the registering browser can resend the email or change the address, valid for 48 hours.
   */
  pending: string;
};

/** The signed-in person, with the fields that every request needs. */
export type SignedInPerson = {
  id: string;
  name: string;
  username: string;
  email: string | null;
  locale: string;
  timeZone: string;
  theme: "system" | "light" | "dark";
  photoId: string | null;
  state: "active" | "limited" | "guest";
  createdAt: Date;
};

export type SessionIdentity = {
  viewer: Viewer;
  person: SignedInPerson;
  /** A required profile field has no answer yet. */
  lacksAnswers: boolean;
  /** A staff member who may not act as staff before setting up two-factor. */
  lacksStaffTwoFactor: boolean;
  session: { id: string; stay: boolean; createdAt: Date; expiresAt: Date };
};

/** The person an API client acts for, with assigned and system roles. */
export type ApiIdentity = SessionIdentity & { roles: string[] };

export type SessionEntry = {
  id: string;
  sessionKind: SessionKind;
  device: string;
  stay: boolean;
  createdAt: Date;
  seenAt: Date;
};
