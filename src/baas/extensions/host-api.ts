import type { Caller, Level } from "./thread-protocol.ts";

export type Row = Record<string, unknown>;
/**
 * A query as in the API: `where`, `sortBy`, `props`, `loadRelations`, `pageSize`, `offset`, `groupBy`,
 * `having`, `distinct`.
 */
export type Query = Record<string, unknown>;

/** An email with its own text or that of a template. */
export type Mail = {
  to?: string[];
  cc?: string[];
  bcc?: string[];
  /** A condition on `Users`: each person found receives an email of their own. */
  criteria?: string;
  /** Each recipient receives an email that names only them. */
  unique?: boolean;
  /** Paths of files stored by API clients. */
  attachments?: string[];
} & (
  | { subject: string; text?: string; html?: string }
  | { template: string; values?: Record<string, string | number | boolean | null> }
);

/**
 * The host as an extension sees it. Everything runs with the rights of the caller, or through `asServer` with
 * those of the server, which may do everything. Refusals are thrown with their message and code.
 */
export type Kith = {
  readonly caller: Caller;
  readonly asServer: Kith;
  readonly tables: {
    find: <T = Row>(table: string, query?: Query) => Promise<T[]>;
    get: <T = Row>(table: string, objectId: string, query?: Query) => Promise<T>;
    count: (table: string, query?: Query) => Promise<number>;
    /** Creates the record, or changes it if it has an `objectId`. */
    save: <T = Row>(table: string, record: Row) => Promise<T>;
    upsert: <T = Row>(table: string, record: Row) => Promise<T>;
    remove: (table: string, objectId: string) => Promise<number>;
    createMany: (table: string, records: Row[]) => Promise<string[]>;
    changeMany: (table: string, where: string, changes: Row) => Promise<number>;
    removeMany: (table: string, where: string) => Promise<number>;
    relate: (
      table: string,
      parentId: string,
      relation: string,
      how: "set" | "add" | "delete",
      ids: string[],
    ) => Promise<number>;
  };
  readonly counters: {
    get: (name: string) => Promise<number>;
    /** Returns the new value. */
    add: (name: string, by?: number) => Promise<number>;
  };
  readonly cache: {
    get: <T = unknown>(key: string) => Promise<T | null>;
    put: (key: string, value: unknown, seconds?: number) => Promise<void>;
    remove: (key: string) => Promise<void>;
  };
  /** The key-value store of a hive. */
  readonly hive: (name: string) => {
    get: <T = unknown>(key: string) => Promise<T | null>;
    set: (key: string, value: unknown) => Promise<void>;
    remove: (...keys: string[]) => Promise<number>;
  };
  readonly services: {
    /** Calls any service: a command of the community, or a method of an extension. */
    call: <T = unknown>(service: string, method: string, input?: unknown) => Promise<T>;
  };
  readonly channels: {
    /**
     * Publishes on a channel, at once or later, with the options of `POST /messaging/{channel}`; returns the
     * message id.
     */
    publish: (channel: string, message: unknown, options?: Row) => Promise<string>;
  };
  readonly mail: {
    /** Sends an email if the caller may (`asServer` may); returns the id for its status. */
    send: (mail: Mail) => Promise<string>;
  };
  readonly events: {
    dispatch: <T = unknown>(event: string, args?: Row) => Promise<T>;
  };
  /** Writes to the server log: a sentence, and facts by name. Never log personal text or addresses. */
  readonly log: Record<Level, (message: string, facts?: Row) => void>;
};
