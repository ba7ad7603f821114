import type { Extensions } from "#baas/extensions";
import type { Automations } from "#baas/automations";
import type { Messaging } from "#baas/messaging";
import type { Devices } from "#baas/devices";
import type { Logs } from "#baas/logging";
import type { EmailContext } from "#baas/email";
import type { Files } from "#baas/files";
import type { DataTables } from "#baas/data";
import type { AccountHooks, Provider, Sealer } from "#community/accounts";
import type { SharedPostsCache } from "#community/discussions";
import type { Search } from "#community/search";
import type { Settings } from "#community/settings";
import type { Database, Db } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Scanner } from "#platform/scanner";
import type { Signer } from "#platform/signing";
import type { Storage } from "#platform/storage";
import type { MarkupCache } from "./server/markup-cache.ts";

/** The part of the app context that the web layer uses. */
export type WebContext = {
  database: Database;
  db: Db;
  settings: Settings;
  limits: Limits;
  /** Data tables and API entities of the community. */
  tables: DataTables;
  /** Status of installed extensions, for admins. */
  extensions: Pick<Extensions<never>, "status">;
  /** Message channels of API clients. */
  channels: Messaging;
  /** Mail sent by API clients, and its templates. */
  mails: EmailContext;
  /** Devices of API clients, for push notifications. */
  devices: Devices;
  flows: Automations;
  /** Logs of API clients and of Kith itself, for admins. */
  logs: Logs;
  /** Files of API clients. */
  files: Files;
  /** File storage of the community. */
  storage: Storage;
  /** Virus scanner; null if none is configured. */
  scanner: Scanner | null;
  search: Search;
  /** Cache of posts as all readers of a discussion see them. */
  sharedPosts: SharedPostsCache;
  /** Cache of the HTML that readers share; null renders everything anew. */
  markup: MarkupCache | null;
  /** Path of the folder with archives to import. */
  imports: string;
  log: Log;
  /** Signs the links in mails that work without signing in. */
  signer: Signer;
  /** Average number of attempts of a browser that solves a proof of work. */
  proofEffort: number;
  /** The public origin, such as `https://kith.example.org`. */
  origin: () => string;
  /** Whether mail goes to the development mailbox, which anybody on this machine can read. */
  mailboxOpen: boolean;
  /** Whether mail is sent, or at least readable in the development mailbox. */
  sendsMail: boolean;
  now: () => Date;
  /** Encrypts values that clients store for the server, such as in cookies. */
  sealer: Sealer;
  signInProviders: Map<string, Provider>;
  accountHooks: AccountHooks;
  /** Public keys for API clients in the browser. */
  publicConfig: {
    appId: string;
    clientKey: string;
    searchKey: string;
    search: { lite: boolean; cache: boolean };
  };
  /** Key for API clients on servers; only shown to admins. */
  serverKey: string;
  /** Search key of the signed-in person, bound to their session. */
  searchKeyOf: (sessionId: string) => string;
  /** Public key for web push. */
  pushKey: string;
};
