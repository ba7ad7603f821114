import type { Database, Tx } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { SignedIn } from "#community/rules";
import type { Settings, SiteSettings } from "#community/settings";
import type { InvitedRegistration } from "./types.ts";
import type { Provider } from "./providers/index.ts";
import type { Sealer } from "./sealer.ts";

/** Hooks that modules above this one run inside account transactions. */
export type AccountHooks = {
  /** Runs before a deactivation; throws a refusal if a group needs a successor first. */
  beforeLeaving?: (tx: Tx, viewer: SignedIn) => Promise<void>;
  /**
   * Where registration is by invitation only: reserves a place of the invitation. Returns false if the
   * invitation allows no registration. Throws the reason if it cannot be used.
   */
  registerInvited?: (tx: Tx, by: InvitedRegistration) => Promise<boolean>;
  /** Runs when a person with an open account has confirmed the address. */
  afterConfirming?: (tx: Tx, personId: string) => Promise<void>;
};

/**
 * Fields of the app context that accounts use. Account functions run in transactions of their own, because
 * slow work (hashing, calls to sign-in providers) happens outside of them. Every account function can also
 * refuse with `too-many` and the seconds to wait.
 */
export type AccountsContext = {
  database: Database;
  limits: Limits;
  settings: Settings;
  now: () => Date;
  /** Public address, such as `https://kith.example.org`: links in emails start with it. */
  origin: () => string;
  sealer: Sealer;
  signInProviders: Map<string, Provider>;
  accountHooks: AccountHooks;
};

/** Context fields for finding the person of a session. */
export type SessionsContext = Pick<AccountsContext, "database" | "settings" | "now">;

/** A transaction with the site settings as of its start. */
export type AccountTx = Tx & { site: SiteSettings };

/** Turns the caller's transaction into one for account functions. */
export const toAccountTx = (tx: Tx, site: SiteSettings): AccountTx => Object.assign(tx, { site });

export async function inAccountTransaction<T>(
  { database, settings }: Pick<AccountsContext, "database" | "settings">,
  work: (tx: AccountTx) => Promise<T>,
): Promise<T> {
  // The settings are read before the transaction: a transaction that waits for a second connection can
  // deadlock.
  const site = await settings.get();
  return database.inTransaction((tx) => work(toAccountTx(tx, site)));
}
