import type { FastifyReply, FastifyRequest } from "fastify";
import type { Cache } from "#baas/cache";
import type { Messaging } from "#baas/messaging";
import type { Counters } from "#baas/counters";
import type { Devices } from "#baas/devices";
import type { Files } from "#baas/files";
import type { Automations } from "#baas/automations";
import type { Hives } from "#baas/hive";
import type { EmailContext } from "#baas/email";
import type { Purchases } from "#baas/purchases";
import type { Logs } from "#baas/logging";
import type { DataTables } from "#baas/data";
import type { Extensions, Services } from "#baas/extensions";
import type { AccountHooks, Provider, Sealer } from "#community/accounts";
import type { Settings } from "#community/settings";
import type { Database } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Signer } from "#platform/signing";
import type { Caller } from "./rest-caller.ts";
import type { CallOrigin } from "./extensions/extension-calls.ts";

/** Dependencies of the REST API, provided by `src/app/app.ts`. */
export type RestContext = {
  database: Database;
  settings: Settings;
  limits: Limits;
  tables: DataTables;
  counters: Counters;
  cache: Cache;
  hives: Hives;
  purchases: Purchases;
  channels: Messaging;
  mails: EmailContext;
  devices: Devices;
  logs: Logs;
  flows: Automations;
  files: Files;
  /** Signs links in emails that work without sign-in. */
  signer: Signer;
  log: Log;
  now: () => Date;
  /** Encrypts data that clients hold and send back. */
  sealer: Sealer;
  signInProviders: Map<string, Provider>;
  accountHooks: AccountHooks;
  /** The public origin, such as `https://kith.example.org`. */
  origin: () => string;
  /** App id of this installation, which clients send in the path. */
  appId: string;
  clientKey: string;
  serverKey: string;
  searchKey: string;
  production: boolean;
  /** Whether everything may be deleted, for tests. */
  allowReset: boolean;
  /** Services that apps call by name. */
  services: Services<ServiceContext>;
  extensions: Extensions<CallOrigin>;
};

/** Facts about a call that a service method receives. */
export type ServiceContext = Pick<Call, "app" | "caller"> & Pick<CallOrigin, "within" | "cause">;

/** A call: its caller and input. */
export type Call = {
  app: RestContext;
  caller: Caller;
  /** Decoded path parameters. */
  params: Record<string, string>;
  /** Query parameters before parsing: a repeated key is a list. */
  query: Record<string, string | string[] | undefined>;
  /** Parsed JSON, text or undefined; the unparsed stream if the route requests it. */
  body: unknown;
  request: FastifyRequest<{ Params: Record<string, string> }>;
  reply: FastifyReply;
};

/** Serialized JSON, sent unchanged. */
export class SerializedJson {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/**
 * Result of a handler that has sent its answer itself. It must not return `call.reply`: an async function
 * resolves that thenable to undefined, which would be sent as a second answer.
 */
export const RESPONSE_SENT = Symbol("answered");

/**
 * An endpoint as the router sees it. The result of `handle` is sent as JSON, `undefined` as an empty body.
 */
export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path after the keys: `/users/login`, `/data/:table/:id`. */
  path: string;
  handle: (call: Call) => Promise<unknown>;
  /** Open to everyone: an unknown token is ignored, and guests of a private community may call it. */
  open?: boolean;
  /** Guests of a private community may call it; an unknown token is refused. */
  forGuests?: boolean;
  /**
   * People may call it with a personal access token, within the token's scopes; other routes refuse such
   * tokens.
   */
  forTokens?: boolean;
  /** Calls do not count against the caller's limit, since the route has its own limit. */
  uncounted?: boolean;
  /** The handler gets the body as an unparsed stream of any content type, and must limit its length. */
  streams?: boolean;
  /** Maximum bytes of the body; one megabyte by default. */
  most?: number;
};
