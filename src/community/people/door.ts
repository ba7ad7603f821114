import type { Database, Tx } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Settings } from "#community/settings";
import type { SignedIn, Viewer } from "#community/rules";
import type { SignInProvider } from "./providers/index.ts";

/** Sessions of the two doors never meet: pages keep a cookie, programs send a header. */
export type Door = "web" | "wire";

/** Where a request comes from. Only hashes of it are kept. */
export type From = {
  address: string;
  userAgent: string;
  acceptLanguage: string;
  /** What the browser was given at its last sign-in, so that it is not taken for a new one. */
  deviceSecret?: string | undefined;
  /** A server that acts for many: nothing is counted by its address. */
  trusted?: boolean;
};

/** What accounts are built on. */
export type AccountsOptions = {
  database: Database;
  limits: Limits;
  settings: Settings;
  now: () => Date;
  /** The public address, such as `https://kith.example.org`: links in mails start with it. */
  origin: () => string;
  /** 32 bytes from the data folder. Whoever loses them loses second steps and links under way, nothing else. */
  seal: Buffer;
  providers?: SignInProvider[];
  /** Done before somebody leaves; throws a refusal when something (a group without an heir) must be settled first. */
  beforeLeaving?: (tx: Tx, viewer: SignedIn) => Promise<void>;
  /** Asked where only invited people register: takes a place by this invitation, or throws why not. False where it gives none. */
  registerInvited?: (tx: Tx, by: Invited) => Promise<boolean>;
  /** Told, in the same transaction, when somebody with an open account has shown that its address is theirs. */
  afterConfirming?: (tx: Tx, personId: string) => Promise<void>;
};

/** Who registers by an invitation: `who` tells them from others, `personId` is what their account is to be. */
export type Invited = { token: string; email: string | null; who: string; personId: string };

/** How whoever opens the link of a confirmation shows that the registration is theirs: one of the three. */
export type Confirming = { pending?: string | undefined; password?: string | undefined; newPassword?: string | undefined };
/** `password`: nothing is spent; the password is to be shown, where there is one, or a new one set. */
export type Confirmed =
  | { kind: "confirmed"; personId: string; username: string; state: "active" | "pending_approval" }
  | { kind: "password"; username: string; hasPassword: boolean };

/** The same for a new address: the person who is signed in where the link was opened, or the password. */
export type ConfirmingAddress = { viewerId: string | null; password?: string | undefined };
/** `password`: nothing is spent, and the password of the account is to be shown. */
export type ConfirmedAddress = { kind: "confirmed"; personId: string } | { kind: "password" };

/** A session that has just begun. The token is known to nobody but its holder. */
export type StartedSession = {
  id: string;
  token: string;
  personId: string;
  /** Stay signed in: the cookie outlives the browser. */
  stay: boolean;
  expiresAt: Date;
  /** To be kept by the browser for a year and handed back in `From`. */
  deviceSecret: string;
};

export type SignIn =
  | { kind: "signed-in"; session: StartedSession }
  /** The password was right; a code is asked for, or a passkey of whoever has one for this address. The half token lives ten minutes. */
  | { kind: "second-step"; halfToken: string; passkey: boolean };

/** What came of a sign-in with another house's account. */
export type ProviderSignIn =
  | (SignIn & { returnTo: string })
  /** A new account whose address must be confirmed first (or given: the provider named none that it vouches for). */
  | { kind: "confirm-address"; pending: string; returnTo: string }
  | { kind: "awaiting-approval"; pending: string; returnTo: string }
  /** Somebody who is signed in has added the provider to their account. */
  | { kind: "linked"; returnTo: string };

/** What a program keeps of what the other house says: by that house's names, the properties they become; `growing` makes what is new. */
export type Keeping = { fields: Record<string, string>; growing: boolean };
/** Whoever goes to another house: to link it to an account of theirs, from which door, by which invitation, and what is kept when they come back. */
export type Beginning = { linkTo?: SignedIn | undefined; door?: Door; invitation?: string | undefined; keeping?: Keeping | null };
/** Whoever comes from there: the guest who becomes the newcomer, the invitation they follow, and what is kept. */
export type Coming = { guestId?: string | undefined; invitation?: string | undefined; keeping?: Keeping | null };

/** What somebody said and accepted when they registered. */
export type Said = { reason: string; rulesVersion: number };

/** What came of a registration: the same whether the address was free or not. */
export type Registered = {
  id: string;
  username: string;
  state: "unverified" | "pending_approval" | "active";
  /** For the browser that registered (48 hours): writes the mail again, or to another address. */
  pending: string;
};

/** The signed-in person, as every request needs them. */
export type Self = {
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

export type Present = {
  viewer: Viewer;
  person: Self;
  /** They have yet to say something that this community asks of everybody. */
  lacksAnswers: boolean;
  /** They look after the place, and may not before they have set up the second step. */
  staffRests: boolean;
  session: { id: string; stay: boolean; createdAt: Date; expiresAt: Date };
};

/** Whoever a program acts for, with their roles: those that were given, and those of the system. */
export type Program = Present & { roles: string[] };

export type SessionLine = { id: string; door: Door; device: string; stay: boolean; createdAt: Date; seenAt: Date };
