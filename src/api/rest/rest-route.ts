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

/** Dependencies handed in by `src/app/app.ts`. */
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
  /** Encrypts what clients keep for us. */
  sealer: Sealer;
  signInProviders: Map<string, Provider>;
  accountHooks: AccountHooks;
  /** The public origin, such as `https://kith.example.org`. */
  origin: () => string;
  /** App id of this installation; callers present one of its keys. */
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

/** Information a service gets about a call. */
export type ServiceContext = Pick<Call, "app" | "caller"> & Pick<CallOrigin, "within" | "cause">;

/** A call: its caller and input. */
export type Call = {
  app: RestContext;
  caller: Caller;
  /** Decoded path parameters. */
  params: Record<string, string>;
  /** Query parameters before parsing: a repeated key is a list. */
  query: Record<string, string | string[] | undefined>;
  /** Parsed JSON, text or undefined; the stream itself where the route asks for it. */
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Serialized JSON, sent unchanged. */
export class WrittenJson {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/**
 * Result of a handler that has sent its answer itself. It must not return `call.reply`: an async function
 * resolves that thenable to undefined, which would be sent as a second answer.
 */
export const ANSWERED = Symbol("answered");

/** Endpoint as the router sees it. The result of `handle` is sent as JSON; `undefined` as an empty body. */
export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path after the keys: `/users/login`, `/data/:table/:id`. */
  path: string;
  handle: (call: Call) => Promise<unknown>;
  /** Open to all: an unknown token is ignored, and a private community answers too. */
  open?: boolean;
  /** Open to guests of a private community too; an unknown token is refused. */
  forGuests?: boolean;
  /** Not counted in the caller's quota, since it has its own limit. */
  uncounted?: boolean;
  /** Gets the unparsed body stream of any type; the route limits its length. */
  streams?: boolean;
  /** Maximum body bytes, if not one megabyte. */
  most?: number;
};
