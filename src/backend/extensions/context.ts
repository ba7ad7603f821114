import type { Caller, Level } from "./protocol.ts";

/** A record of a table. */
export type Row = Record<string, unknown>;
/** As programs ask: `where`, `sortBy`, `props`, `loadRelations`, `pageSize`, `offset`, `groupBy`, `having`, `distinct`. */
export type Query = Record<string, unknown>;

/** A mail, with words of its own or those of a template. */
export type Mail = {
  to?: string[];
  cc?: string[];
  bcc?: string[];
  /** People who meet a condition on `Users`: each is written to alone. */
  criteria?: string;
  /** Everybody gets a mail that names them alone. */
  unique?: boolean;
  /** Paths of files of programs. */
  attachments?: string[];
} & ({ subject: string; text?: string; html?: string } | { template: string; values?: Record<string, string | number | boolean | null> });

/**
 * What an extension reaches of the house. Everything is done with the rights of whoever calls; with those of the server, which may do
 * everything, through `asServer`. What the house refuses is thrown, with its words and its number.
 */
export type Kith = {
  readonly caller: Caller;
  readonly asServer: Kith;
  readonly tables: {
    find: <T = Row>(table: string, query?: Query) => Promise<T[]>;
    get: <T = Row>(table: string, objectId: string, query?: Query) => Promise<T>;
    count: (table: string, query?: Query) => Promise<number>;
    /** Without an `objectId` the record is new; with one it is changed. */
    save: <T = Row>(table: string, record: Row) => Promise<T>;
    upsert: <T = Row>(table: string, record: Row) => Promise<T>;
    remove: (table: string, objectId: string) => Promise<number>;
    createMany: (table: string, records: Row[]) => Promise<string[]>;
    changeMany: (table: string, where: string, changes: Row) => Promise<number>;
    removeMany: (table: string, where: string) => Promise<number>;
    relate: (table: string, parentId: string, relation: string, how: "set" | "add" | "delete", ids: string[]) => Promise<number>;
  };
  readonly counters: {
    get: (name: string) => Promise<number>;
    /** What it stands at then. */
    add: (name: string, by?: number) => Promise<number>;
  };
  readonly cache: {
    get: <T = unknown>(key: string) => Promise<T | null>;
    put: (key: string, value: unknown, seconds?: number) => Promise<void>;
    remove: (key: string) => Promise<void>;
  };
  /** The values of one of the hives, by their keys. */
  readonly hive: (name: string) => {
    get: <T = unknown>(key: string) => Promise<T | null>;
    set: (key: string, value: unknown) => Promise<void>;
    remove: (...keys: string[]) => Promise<number>;
  };
  readonly services: {
    /** Any service: a verb of the community, or one of an extension. */
    call: <T = unknown>(service: string, method: string, input?: unknown) => Promise<T>;
  };
  readonly channels: {
    /** Says something on a channel of programs, now or later, with the options of `POST /messaging/{channel}`; the id of the message. */
    publish: (channel: string, message: unknown, options?: Row) => Promise<string>;
  };
  readonly mail: {
    /** Sends a mail, where whoever calls may: `asServer` may. The id by which one asks what became of it. */
    send: (mail: Mail) => Promise<string>;
  };
  readonly events: {
    dispatch: <T = unknown>(event: string, args?: Row) => Promise<T>;
  };
  /** Lines for the log of the house: a sentence, and facts by name. Never somebody's words or address. */
  readonly log: Record<Level, (message: string, facts?: Row) => void>;
};
