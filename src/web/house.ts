import type { Accounts } from "#community/people";
import type { Settings } from "#community/settings";
import type { Database, Db } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Signer } from "#platform/signing";
import type { Storage } from "#platform/storage";

/** What the web is handed by `src/app.ts`: everything behind its door that it may call. */
export type House = {
  database: Database;
  db: Db;
  accounts: Accounts;
  settings: Settings;
  limits: Limits;
  storage: Storage;
  /** The folder in which archives lie that are to be brought in. */
  imports: string;
  log: Log;
  /** For links in mails that hold without anybody being signed in. */
  signer: Signer;
  /** The public origin, such as `https://kith.example.org`. */
  origin: () => string;
  /** Whether mail ends in the development mailbox, which anybody on this machine may then read. */
  mailboxOpen: boolean;
  /** Names of the sign-in providers, for their buttons. */
  providers: string[];
  /** The public keys that a client in the browser is configured with. */
  publicConfig: { appId: string; clientKey: string; searchKey: string };
  /** The public key by which browsers know who pushes to them. */
  pushKey: string;
};
