import type { Database, Tx } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { SignedIn } from "#community/rules";
import type { Settings, SiteSettings } from "#community/settings";
import type { AccountsOptions, Invited } from "./door.ts";
import { openProviders, type Provider } from "./providers/index.ts";
import { openSealer, type Sealer } from "./sealer.ts";

/** A transaction that also knows the settings as they were when it began. */
export type AccountTx = Tx & {
  site: SiteSettings;
  /** Where only invited people register: takes a place by an invitation, or throws why not. */
  invited: (by: Invited) => Promise<boolean>;
  /** Somebody has shown that an address is theirs, and their account is open. */
  confirmed: (personId: string) => Promise<void>;
};

/** What the verbs of accounts work with: everything that lives on between two calls. */
export type House = {
  database: Database;
  inTransaction: <T>(work: (tx: AccountTx) => Promise<T>) => Promise<T>;
  limits: Limits;
  settings: Settings;
  now: () => Date;
  origin: () => string;
  sealer: Sealer;
  providers: Map<string, Provider>;
  beforeLeaving: (tx: Tx, viewer: SignedIn) => Promise<void>;
  /** What `invited` and `confirmed` of an `AccountTx` do. */
  invite: (tx: Tx, by: Invited) => Promise<boolean>;
  confirm: (tx: Tx, personId: string) => Promise<void>;
  /** Sessions whose last visit is being written down at this moment. */
  touching: Set<string>;
};

/** Gives a verb of this room its house. */
export type OfHouse = <A extends unknown[], R>(verb: (house: House, ...args: A) => R) => (...args: A) => R;

/** A transaction of somebody else's, as the functions of accounts need it. */
export const accountTx = ({ invite, confirm }: Pick<House, "invite" | "confirm">, tx: Tx, site: SiteSettings): AccountTx =>
  Object.assign(tx, {
    site,
    invited: (by: Invited) => invite(tx, by),
    confirmed: (personId: string) => confirm(tx, personId),
  });

export const openHouse = (options: AccountsOptions): House => {
  const { afterConfirming: confirm = async () => {}, registerInvited: invite = async () => false } = options;
  return openWith(options, { confirm, invite });
};

const openWith = (options: AccountsOptions, { confirm, invite }: Pick<House, "confirm" | "invite">): House => ({
  database: options.database,
  inTransaction: async (work) => {
    // Asked before, not inside: a transaction that waits for a second connection can wait for itself.
    const site = await options.settings.get();
    return options.database.inTransaction((tx) => work(accountTx({ invite, confirm }, tx, site)));
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
