import type { Db, sql, Tx } from "#platform/database";
import type { Hooks } from "../hooks.ts";

/** A piece of SQL with its parameters. */
export type Fragment = ReturnType<typeof sql<unknown>>;

/**
 * Who asks, as far as tables care: a person, or nobody; all their roles, those of the system among them
 * (`AuthenticatedUser`, `JSUser`, …); and whether they came with the server's key, which may do everything that tables know.
 */
export type Caller = {
  userId: string | null;
  roles: string[];
  server: boolean;
  /** What published nouns know their callers by. Handed on to them, never looked at. */
  viewer?: unknown;
  /** Of a call that somebody's code makes: what the hooks know that by. Handed on to them, never looked at. */
  within?: unknown;
  /** The network address of the call, where it came over the network. */
  from?: string | undefined;
  /** The run of a flow that writes, or leads to it: told with what happens, so that what feeds itself comes to an end. */
  cause?: string | null | undefined;
};

export const COLUMN_TYPES = [
  "STRING",
  "TEXT",
  "INT",
  "DOUBLE",
  "BOOLEAN",
  "DATETIME",
  "JSON",
  "FILE_REF",
  "POINT",
  "LINESTRING",
  "POLYGON",
  "GEOMETRY",
  "STRING_ID",
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/**
 * How values lie in the database: STRING, TEXT, FILE_REF and STRING_ID as `text`, INT as `integer`, DOUBLE as
 * `double precision`, BOOLEAN, DATETIME as `timestamptz(3)`, JSON as `jsonb`, and geometry as `jsonb` of exactly
 * `{type, coordinates, srsId}`, so that equal shapes are equal values.
 */
export type Column = {
  /** As callers call it. */
  name: string;
  /** As the database calls it, unquoted: made by us, never a caller's text. */
  sqlName: string;
  type: ColumnType;
  /** Characters of a STRING at the most. */
  size: number | null;
  required: boolean;
  unique: boolean;
  indexed: boolean;
  /** On the wire's terms. */
  defaultValue: unknown;
  /** A generated column: the database works it out from the others by this clause. */
  expression: string | null;
  /** Texts have to match it. */
  customRegex: string | null;
  /** True for whom the column does not exist: not in answers, conditions, sorting or descriptions. */
  hidden?: (caller: Caller) => boolean;
  /** What this caller finds in place of the column, in answers, conditions and sorting alike. `alias` is that of the table. */
  seen?: (caller: Caller, alias: string) => Fragment;
  /** What is seen is worked out from the row alone: it costs no question of its own. */
  ofRow?: boolean;
  /**
   * That it is one of these texts, said so that an index can answer: for ids that lie in the database otherwise than as the text that
   * they are compared as. It says nothing that comparing would not.
   */
  among?: (alias: string, texts: string[]) => Fragment;
  /** Its type in the database, where that is not the usual one. */
  lies?: "uuid";
};

/**
 * Where a relation is kept: in a table of links `(parent, child, position)` of schema `data`; in a column of the child that holds
 * the parent's objectId; or in a column of the parent that holds the child's. Column names are those of the database.
 */
export type Via =
  | { links: { schema: string; name: string }; parent: "parent"; child: "child"; position: "position" }
  | { childColumn: string }
  | { parentColumn: string };

export type Relation = {
  name: string;
  /** The name of a table, as callers call it. */
  toTable: string;
  kind: "ONE_TO_ONE" | "ONE_TO_MANY";
  autoLoad: boolean;
  via: Via;
};

/** What a caller may do with a table as a whole. */
export type TableAct = "find" | "create" | "update" | "remove";
/** What may be granted or denied for one object. */
export type ObjectAct = "FIND" | "UPDATE" | "REMOVE";

/** A table that callers can reach: one of their own (`data`), or a noun that somebody else publishes as a view (`published`). */
export type Table = {
  id: string;
  name: string;
  schema: "data" | "published";
  /** The name of the relation in its schema, unquoted. */
  sqlName: string;
  /** By name, in their order; `objectId`, `ownerId`, `created` and `updated` are among them. */
  columns: Map<string, Column>;
  relations: Map<string, Relation>;
  /** Everybody may do everything, but for what `access` says: the setting `defaultAccess` is `open`. */
  open: boolean;
  /** By role (`Owner` is one that people have towards their own rows), what differs from the default. */
  access: Map<string, Partial<Record<TableAct, boolean>>>;
  /** True once any object of this table has grants or denials of its own: reads ask for them only then. */
  hasGrants: boolean;
  /** Of a published table: its row in `data_tables`, which grants refer to, if there is one. */
  storedId?: string | undefined;
  /** What others do before and after something is done with its records; nouns have none. */
  hooks?: Hooks;
  noun?: Noun;
  /** What a statement says of the columns that there are at its moment, and what it said when they were read; nothing where they never change. */
  stamp?: { asked: Fragment; known: string };
};

/** One record on the wire. */
export type WireRecord = Record<string, unknown>;

/**
 * A noun that is published as a table: read through a view, always narrowed to what its caller may see; written by whatever
 * its owner does when somebody writes one. Acts that are left out are refused.
 */
export type Noun = {
  name: string;
  /** The view in schema `published`. */
  sqlName: string;
  columns: Column[];
  /** Columns that come and go: read with the catalogue. Those above go before others of their names. */
  more?: (db: Db) => Promise<Column[]>;
  /** As a text, which of these there are: another one as soon as one comes or goes. */
  stamp?: Fragment;
  relations: Relation[];
  /** The condition on rows under this alias that this caller may see. Aliases of one letter are the noun's own, but for `t`. */
  visible: (caller: Caller, alias: string) => Fragment;
  /** Each within the transaction that it is given, which ends with what they throw: refusals. `create` gives the objectId. */
  create?: (tx: Tx, caller: Caller, record: WireRecord) => Promise<string>;
  update?: (tx: Tx, caller: Caller, objectId: string, changes: WireRecord) => Promise<void>;
  remove?: (tx: Tx, caller: Caller, objectId: string) => Promise<void>;
  /** Says why there is no such act. */
  refusals?: Partial<Record<"create" | "update" | "remove", string>>;
  /** Prepares records that are created or changed, before the transaction in which `create` or `update` gets them. */
  prepare?: (caller: Caller, records: WireRecord[]) => Promise<WireRecord[]>;
  /** The answer to who has created a record: what they gave and others do not read is part of it. */
  answer?: (given: WireRecord, found: WireRecord) => WireRecord;
  /** What replaces the above where the API has the defaults of the hosted service. */
  hosted?: Partial<Omit<Noun, "name" | "hosted">> & { extension: NounExtension };
  /** Callers may add columns and relations, and set permissions of single objects. */
  extension?: NounExtension;
};

/** Where a published table keeps the columns that callers add to it. */
export type NounExtension = {
  addColumn: (tx: Tx, column: { name: string; type: ColumnType }) => Promise<void>;
  dropColumn: (tx: Tx, name: string) => Promise<void>;
};

/** What holds for all tables of programs. */
export type Config = {
  /** What is saved under a name that is not there yet makes a table or a column of it. */
  dynamicSchema: boolean;
  /** `open`: everybody may do everything, as far as no table says otherwise. */
  defaultAccess: "open" | "members";
  /** The API has the defaults of the hosted service: what nobody has configured is open. */
  hosted: boolean;
};

/** All tables, read once and kept until somebody changes one. */
export interface Catalogue {
  /** A table by its exact name; when it is not known here, the database is asked whether that has changed. Throws 1009. */
  table: (name: string) => Promise<Table>;
  /** The same, from what was read last: for those that a table that was asked for refers to. It may hold no more. */
  known: (name: string) => Table | undefined;
  /** All of them, by name. */
  all: () => Promise<Table[]>;
  config: () => Promise<Config>;
  /** Somebody changed a table: what is kept is read anew when next asked for. */
  forget: () => void;
}

/** What the parts of the table engine share. Outside of a transaction, questions go over `shared` lines. */
export type Engine = {
  db: Db;
  shared?: Db;
  catalogue: Catalogue;
  /** Records come with their ids, whatever is asked of them: somebody goes on from what was found. */
  keepsIds?: true;
};
