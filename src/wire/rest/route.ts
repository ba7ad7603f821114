import type { FastifyReply, FastifyRequest } from "fastify";
import type { Cache } from "#backend/cache";
import type { Channels } from "#backend/channels";
import type { Counters } from "#backend/counters";
import type { Devices } from "#backend/devices";
import type { Files } from "#backend/files";
import type { Flows } from "#backend/flows";
import type { Hives } from "#backend/hive";
import type { Mails } from "#backend/mails";
import type { Purchases } from "#backend/purchases";
import type { Logs } from "#backend/logs";
import type { Tables } from "#backend/tables";
import type { Extensions, Services } from "#backend/extensions";
import type { Accounts } from "#community/people";
import type { Settings } from "#community/settings";
import type { Database } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Signer } from "#platform/signing";
import type { Caller } from "./caller.ts";
import type { Speaker } from "./extensions.ts";

/** What `src/app.ts` hands in. */
export type RestHouse = {
  database: Database;
  accounts: Accounts;
  settings: Settings;
  limits: Limits;
  tables: Tables;
  counters: Counters;
  cache: Cache;
  hives: Hives;
  purchases: Purchases;
  channels: Channels;
  mails: Mails;
  devices: Devices;
  logs: Logs;
  flows: Flows;
  files: Files;
  /** For links in mails that hold without anybody being signed in. */
  signer: Signer;
  log: Log;
  now: () => Date;
  /** The public origin, such as `https://kith.example.org`. */
  origin: () => string;
  /** Of this installation: who calls shows one of the keys. */
  appId: string;
  clientKey: string;
  serverKey: string;
  searchKey: string;
  production: boolean;
  /** Whether everything may be emptied, for tests. */
  allowReset: boolean;
  /** What programs call by name. */
  services: Services<ServiceContext>;
  /** An operator's own code. */
  extensions: Extensions<Speaker>;
};

/** What a service is told of a call. */
export type ServiceContext = Pick<Call, "house" | "caller"> & Pick<Speaker, "within" | "cause">;

/** One call: who makes it, and what it brought. */
export type Call = {
  house: RestHouse;
  caller: Caller;
  /** Parts of the path by their names, decoded. */
  params: Record<string, string>;
  /** As it came: a key given twice is a list. */
  query: Record<string, string | string[] | undefined>;
  /** Parsed JSON, a text, or nothing; the stream itself where the route wants that. */
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** JSON that is written already: it goes out as it is. */
export class WrittenJson {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/**
 * What a handler returns that has sent its answer itself. It must not return `call.reply`: that is a thenable, which an
 * async function resolves to nothing, and nothing would be sent as a second answer.
 */
export const ANSWERED = Symbol("answered");

/** One endpoint. What `handle` returns goes out as JSON, scalars too; `undefined` as an empty body. */
export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** After the keys: `/users/login`, `/data/:table/:id`. */
  path: string;
  handle: (call: Call) => Promise<unknown>;
  /** Who calls does not matter: a token that stands for nobody is no hindrance, and a private community answers too. */
  open?: boolean;
  /** A private community answers guests too, while a token that stands for nobody is refused. */
  forGuests?: boolean;
  /** Does not count among a caller's calls: it has a limit of its own. */
  uncounted?: boolean;
  /** Handed the body as it comes in, whatever its type; its length is the route's own concern. */
  streams?: boolean;
  /** Bytes of a body, if not a megabyte. */
  most?: number;
  /** Runs before the body is read: throws where the address says already that it is not for this caller. */
  before?: (call: Pick<Call, "house" | "caller" | "params">) => Promise<void>;
};
