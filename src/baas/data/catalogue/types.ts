import type { Db, sql, Tx } from "#platform/database";
import type { Message } from "#platform/messages";
import type { Hooks } from "../data-hooks.ts";

export type SqlFragment = ReturnType<typeof sql<unknown>>;

/**
 * The caller: a person or null, all roles including system ones (`AuthenticatedUser`, `JSUser`, …), and
 * whether the server key was used, which allows everything.
 */
export type Caller = {
  userId: string | null;
  roles: string[];
  server: boolean;
  /** The viewer for API entities; passed on unread. */
  viewer?: unknown;
  /** The parent call of an extension, for its hooks; passed on unread. */
  within?: unknown;
  /** The network address of the call, if it came over the network. */
  from?: string | undefined;
  /** The automation run that caused the write; passed on with events, so that loops end. */
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
 * Storage by type: STRING, TEXT, FILE_REF and STRING_ID as `text`, INT as `integer`, DOUBLE as `double
 * precision`, BOOLEAN, DATETIME as `timestamptz(3)`, JSON as `jsonb`, geometry as `jsonb` of exactly `{type,
 * coordinates, srsId}`, so that equal shapes are equal values.
 */
export type Column = {
  /** The name for clients. */
  name: string;
  /** The SQL name, unquoted: generated, never a client's text. */
  sqlName: string;
  type: ColumnType;
  /** Maximum characters of a STRING. */
  size: number | null;
  required: boolean;
  unique: boolean;
  indexed: boolean;
  /** In API format. */
  defaultValue: unknown;
  /** The clause of a generated column. */
  expression: string | null;
  /** Texts must match it. */
  customRegex: string | null;
  /** True if the column does not exist for the caller: in answers, conditions, sorting and descriptions. */
  hidden?: (caller: Caller) => boolean;
  /**
   * The value this caller sees instead, in answers, conditions and sorting alike. `alias` is that of the
   * table.
   */
  seen?: (caller: Caller, alias: string) => SqlFragment;
  /** `seen` depends on the row only, and needs no subquery. */
  ofRow?: boolean;
  /**
   * A condition that the value is one of these texts, in a form that an index supports: for ids not stored as
   * text. Equivalent to comparing.
   */
  among?: (alias: string, texts: string[]) => SqlFragment;
  /** The SQL type, if not the usual one. */
  lies?: "uuid";
};

/**
 * Storage of a relation: a link table `(parent, child, position)` in schema `data`, a column of the child
 * with the parent's objectId, or a column of the parent with the child's. Column names are SQL names.
 */
export type RelationStorage =
  | { links: { schema: string; name: string }; parent: "parent"; child: "child"; position: "position" }
  | { childColumn: string }
  | { parentColumn: string };

export type Relation = {
  name: string;
  /** Name of a table, as for clients. */
  toTable: string;
  kind: "ONE_TO_ONE" | "ONE_TO_MANY";
  autoLoad: boolean;
  via: RelationStorage;
};

export type TableAction = "find" | "create" | "update" | "remove";
/** Actions that can be granted or denied for one object. */
export type ObjectAction = "FIND" | "UPDATE" | "REMOVE";

/** A table for clients: a data table (`data`), or an API entity behind a view (`published`). */
export type Table = {
  id: string;
  name: string;
  schema: "data" | "published";
  /** The SQL name in its schema, unquoted. */
  sqlName: string;
  /** By name, in order, including `objectId`, `ownerId`, `created` and `updated`. */
  columns: Map<string, Column>;
  relations: Map<string, Relation>;
  /** The setting `defaultAccess` is `open`: everyone may do everything that `access` does not deny. */
  open: boolean;
  /** Permissions that differ from the default, by role (`Owner` is the role of people for their own rows). */
  access: Map<string, Partial<Record<TableAction, boolean>>>;
  /** True once any object has a grant or denial; queries check them only then. */
  hasGrants: boolean;
  /** For an API entity: its row in `data_tables`, if any, to which grants refer. */
  storedId?: string | undefined;
  /** Hooks around actions on records; API entities have none. */
  hooks?: Hooks;
  entity?: EntityTable;
  /** SQL for the version of its columns, and the version as read; missing if the columns never change. */
  stamp?: { asked: SqlFragment; known: string };
};

/** A record in API format. */
export type ApiRecord = Record<string, unknown>;

/**
 * An API entity published as a table: read through a view limited to what the caller may see, written through
 * its own commands. Missing commands are refused.
 */
export type EntityTable = {
  name: string;
  /** The view in schema `published`. */
  sqlName: string;
  columns: Column[];
  /** Variable columns, read with the catalogue; `columns` takes precedence. */
  more?: (db: Db) => Promise<Column[]>;
  /** SQL for the version of the variable columns, as text. */
  stamp?: SqlFragment;
  relations: Relation[];
  /**
   * SQL condition on rows that the caller may see. One-letter aliases except `t` are reserved for the entity.
   */
  visible: (caller: Caller, alias: string) => SqlFragment;
  /**
   * Commands run within the given transaction and abort it by throwing refusals. `create` returns the
   * objectId.
   */
  create?: (tx: Tx, caller: Caller, record: ApiRecord) => Promise<string>;
  update?: (tx: Tx, caller: Caller, objectId: string, changes: ApiRecord) => Promise<void>;
  remove?: (tx: Tx, caller: Caller, objectId: string) => Promise<void>;
  /** The reason for a missing command. */
  refusals?: Partial<Record<"create" | "update" | "remove", Message>>;
  /** Prepares records before the transaction of `create` or `update`. */
  prepare?: (caller: Caller, records: ApiRecord[]) => Promise<ApiRecord[]>;
  /** The answer to the creator of a record, which includes given values that others cannot read. */
  answer?: (given: ApiRecord, found: ApiRecord) => ApiRecord;
  /** Overrides for the defaults of the hosted service. */
  hosted?: Partial<Omit<EntityTable, "name" | "hosted">> & { extension: EntityExtension };
  /** Callers may add columns and relations, and set permissions of single objects. */
  extension?: EntityExtension;
};

/** Storage of columns that callers add to an API entity. */
export type EntityExtension = {
  addColumn: (tx: Tx, column: { name: string; type: ColumnType }) => Promise<void>;
  dropColumn: (tx: Tx, name: string) => Promise<void>;
};

/** Configuration of all data tables. */
export type DataConfig = {
  /** Saving under unknown names creates tables and columns. */
  dynamicSchema: boolean;
  /** `open`: everyone may do everything that no table denies. */
  defaultAccess: "open" | "members";
  /** The API has the defaults of the hosted service: access is open unless configured. */
  hosted: boolean;
};

/** All tables, read once and cached until one changes. */
export interface Catalogue {
  /**
   * A table by exact name; an unknown one is looked up in the database.
   * @throws 1009
   */
  table: (name: string) => Promise<Table>;
  /** A table from the last read, for tables that another one refers to; may be outdated. */
  known: (name: string) => Table | undefined;
  /** By name. */
  all: () => Promise<Table[]>;
  config: () => Promise<DataConfig>;
  /** Invalidates the cache after a change. */
  forget: () => void;
}

/** Context of queries. */
export type DataContext = {
  db: Db;
  catalogue: Catalogue;
  /** Records include their ids whatever properties were requested, since the caller needs them. */
  keepsIds?: true;
};
