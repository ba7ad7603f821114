import type { Caller, Level } from "./thread-protocol.ts";

export type Row = Record<string, unknown>;
/**
 * A query with the parameters of the API: `where`, `sortBy`, `props`, `loadRelations`, `pageSize`, `offset`,
 * `groupBy`, `having`, `distinct`.
 */
export type Query = Record<string, unknown>;

/** An email with a text of its own or that of a template. */
export type Mail = {
  to?: string[];
  cc?: string[];
  bcc?: string[];
  /** A condition on `Users`. Each person found gets a separate email. */
  criteria?: string;
  /** Whether each recipient gets a separate email that names no other recipient. */
  unique?: boolean;
  /** Paths of files that API clients have stored. */
  attachments?: string[];
} & (
  | { subject: string; text?: string; html?: string }
  | { template: string; values?: Record<string, string | number | boolean | null> }
);

/**
 * The host's functions for an extension. All of them have the rights of the caller; those of `asServer` have
 * the rights of the server, which may do everything. Refusals are thrown with their message and code.
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
  /** Returns the key-value store of a hive. */
  readonly hive: (name: string) => {
    get: <T = unknown>(key: string) => Promise<T | null>;
    set: (key: string, value: unknown) => Promise<void>;
    remove: (...keys: string[]) => Promise<number>;
  };
  readonly services: {
    /** Calls any service method, of the community or of an extension. */
    call: <T = unknown>(service: string, method: string, input?: unknown) => Promise<T>;
  };
  readonly channels: {
    /**
     * Publishes a message on a channel, at once or later, with the options of `POST /messaging/{channel}`;
     * returns the message id.
     */
    publish: (channel: string, message: unknown, options?: Row) => Promise<string>;
  };
  readonly mail: {
    /**
     * Sends an email if the caller has the permission; `asServer` always has it. Returns an id for reading
     * the delivery status.
     */
    send: (mail: Mail) => Promise<string>;
  };
  readonly events: {
    dispatch: <T = unknown>(event: string, args?: Row) => Promise<T>;
  };
  /** Writes to the server log: a message, and values by name. Never log personal texts or addresses. */
  readonly log: Record<Level, (message: string, facts?: Row) => void>;
};
