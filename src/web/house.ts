import type { Extensions } from "#backend/extensions";
import type { Flows } from "#backend/flows";
import type { Channels } from "#backend/channels";
import type { Devices } from "#backend/devices";
import type { Logs } from "#backend/logs";
import type { Mails } from "#backend/mails";
import type { Files } from "#backend/files";
import type { Tables } from "#backend/tables";
import type { Accounts } from "#community/people";
import type { Search } from "#community/search";
import type { Settings } from "#community/settings";
import type { Database, Db } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Scanner } from "#platform/scanner";
import type { Signer } from "#platform/signing";
import type { Storage } from "#platform/storage";

/** What the web is handed by `src/app.ts`: everything behind its door that it may call. */
export type House = {
  database: Database;
  db: Db;
  accounts: Accounts;
  settings: Settings;
  limits: Limits;
  /** What programs keep here, and what they read of the community. */
  tables: Tables;
  /** An operator's own code, for whoever looks after it. */
  extensions: Pick<Extensions<never>, "status">;
  /** On which programs tell each other something. */
  channels: Channels;
  /** Mail that programs send, and its templates. */
  mails: Mails;
  /** On which programs tell somebody something. */
  devices: Devices;
  /** What is done by itself. */
  flows: Flows;
  /** What programs, and the parts of this house, have to say to whoever looks after it. */
  logs: Logs;
  /** Files that programs keep here. */
  files: Files;
  /** The bytes of the community. */
  storage: Storage;
  /** What looks at files before anybody gets them; null where there is none. */
  scanner: Scanner | null;
  search: Search;
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
  publicConfig: { appId: string; clientKey: string; searchKey: string; search: { lite: boolean; cache: boolean } };
  /** For programs on servers; only admins see it. */
  serverKey: string;
  /** The key by which somebody's own page searches in the browser, made for the session in which it is shown. */
  searchKeyOf: (sessionId: string) => string;
  /** The public key by which browsers know who pushes to them. */
  pushKey: string;
};
