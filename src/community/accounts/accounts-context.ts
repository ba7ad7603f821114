import type { Database, Tx } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { SignedIn } from "#community/rules";
import type { Settings, SiteSettings } from "#community/settings";
import type { AccountsOptions, InvitedRegistration } from "./types.ts";
import { openProviders, type Provider } from "./providers/index.ts";
import { openSealer, type Sealer } from "./sealer.ts";

/** A transaction with the site settings as of its start. */
export type AccountTx = Tx & {
  site: SiteSettings;
  /** Where registration is by invitation only: uses a place of an invitation, or throws why not. */
  invited: (by: InvitedRegistration) => Promise<boolean>;
  /** Runs when a person has confirmed an address and their account is open. */
  confirmed: (personId: string) => Promise<void>;
};

/** Context of the account commands: everything that lives on between two calls. */
export type AccountsContext = {
  database: Database;
  inTransaction: <T>(work: (tx: AccountTx) => Promise<T>) => Promise<T>;
  limits: Limits;
  settings: Settings;
  now: () => Date;
  origin: () => string;
  sealer: Sealer;
  providers: Map<string, Provider>;
  beforeLeaving: (tx: Tx, viewer: SignedIn) => Promise<void>;
  /** Implementations of `invited` and `confirmed` in `AccountTx`. */
  invite: (tx: Tx, by: InvitedRegistration) => Promise<boolean>;
  confirm: (tx: Tx, personId: string) => Promise<void>;
  /** Sessions whose last visit is being written now. */
  touching: Set<string>;
};

/** Binds a command to its context. */
export type BoundCommand = <A extends unknown[], R>(
  verb: (app: AccountsContext, ...args: A) => R,
) => (...args: A) => R;

/** Turns the caller's transaction into one for account functions. */
export const toAccountTx = (
  { invite, confirm }: Pick<AccountsContext, "invite" | "confirm">,
  tx: Tx,
  site: SiteSettings,
): AccountTx =>
  Object.assign(tx, {
    site,
    invited: (by: InvitedRegistration) => invite(tx, by),
    confirmed: (personId: string) => confirm(tx, personId),
  });

export const openAccountsContext = (options: AccountsOptions): AccountsContext => {
  const { afterConfirming: confirm = async () => {}, registerInvited: invite = async () => false } = options;
  return createContext(options, { confirm, invite });
};

const createContext = (
  options: AccountsOptions,
  { confirm, invite }: Pick<AccountsContext, "confirm" | "invite">,
): AccountsContext => ({
  database: options.database,
  inTransaction: async (work) => {
    // Read before, not inside: a transaction that waits for a second connection can deadlock.
    const site = await options.settings.get();
    return options.database.inTransaction((tx) => work(toAccountTx({ invite, confirm }, tx, site)));
  },
  invite,
  confirm,
  limits: options.limits,
  settings: options.settings,
  now: options.now,
  origin: options.origin,
  sealer: openSealer(options.seal),
  providers: openProviders(options.providers ?? []),
  beforeLeaving: options.beforeLeaving ?? (async () => {}),
  touching: new Set(),
});
