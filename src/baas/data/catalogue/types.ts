import type { Db, sql, Tx } from "#platform/database";
import type { Message } from "#platform/messages";
import type { Hooks } from "../data-hooks.ts";

export type SqlFragment = ReturnType<typeof sql<unknown>>;

/**
 * The caller: a person or null, all their roles including system ones (`AuthenticatedUser`, `JSUser`, …),
 * and whether the server key was used, which allows everything.
 */
export type Caller = {
  userId: string | null;
  roles: string[];
  server: boolean;
  /** The caller may use API entities only, and no data tables. */
  entitiesOnly?: boolean;
  /** The viewer, which the data tables only pass on to API entities. */
  viewer?: unknown;
  /** The parent call of an extension, which the data tables only pass on to hooks. */
  within?: { readonly thread: object; readonly depth: number } | null;
  /** The network address of the call, if it came over the network. */
  from?: string | undefined;
  /**
   * Id of the automation run that caused the write. It is passed on with events, so that endless loops are
   * detected.
   */
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
 * A column. Storage by type: STRING, TEXT, FILE_REF and STRING_ID as `text`, INT as `integer`, DOUBLE as
 * `double precision`, BOOLEAN, DATETIME as `timestamptz(3)`, JSON as `jsonb`, geometry as `jsonb` of exactly
 * `{type, coordinates, srsId}`, so that equal shapes are equal values.
 */
export type Column = {
  /** The name that clients use. */
  name: string;
  /** The unquoted SQL name. It is generated and never contains a client's text unchanged. */
  sqlName: string;
  type: ColumnType;
  /** Maximum characters of a STRING. */
  size: number | null;
  required: boolean;
  unique: boolean;
  indexed: boolean;
  /** Default value in API format. */
  defaultValue: unknown;
  /** The expression of a generated column. */
  expression: string | null;
  /** Regular expression that texts must match. */
  customRegex: string | null;
  /**
   * Returns true if the column must be invisible to the caller in answers, conditions, sorting and
   * descriptions.
   */
  hidden?: (caller: Caller) => boolean;
  /**
   * SQL for the value that this caller sees instead of the stored one, in answers, conditions and sorting.
   * `alias` is the table's.
   */
  seen?: (caller: Caller, alias: string) => SqlFragment;
  /** Whether `seen` depends on the row only and needs no subquery. */
  ofRow?: boolean;
  /**
   * SQL condition that the value is one of these texts, written so that an index can be used. Needed for ids
   * that are not stored as text. The result equals that of a plain comparison.
   */
  among?: (alias: string, texts: string[]) => SqlFragment;
  /** The SQL type of the column, if it differs from the usual SQL type of such columns. */
  storedAs?: "uuid";
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
  /** Name of the target table, as clients use it. */
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
  /** The unquoted SQL name within its schema. */
  sqlName: string;
  /** Columns by name, in order, including `objectId`, `ownerId`, `created` and `updated`. */
  columns: Map<string, Column>;
  relations: Map<string, Relation>;
  /**
   * Whether the setting `defaultAccess` is `open`: everyone may do everything that `access` does not deny.
   */
  open: boolean;
  /** Permissions that differ from the default, by role. `Owner` is the role of people for their own rows. */
  access: Map<string, Partial<Record<TableAction, boolean>>>;
  /** True once any object has a grant or denial; queries check them only then. */
  hasGrants: boolean;
  /** For an API entity, the id of its row in `data_tables`, if any; grants refer to it. */
  storedId?: string | undefined;
  /** Hooks around actions on records; never set for API entities. */
  hooks?: Hooks;
  entity?: EntityTable;
  /**
   * SQL that returns the current version of the columns (`asked`), and the version read with the table
   * (`known`). Missing if the columns never change.
   */
  stamp?: { asked: SqlFragment; known: string };
};

/** A record in API format. */
export type ApiRecord = Record<string, unknown>;

/**
 * An API entity published as a table. It is read through a view limited to the rows visible to the caller,
 * and written by its own commands; writes without a command are refused.
 */
export type EntityTable = {
  name: string;
  /** Name of the view in schema `published`. */
  sqlName: string;
  columns: Column[];
  /**
   * Reads variable columns along with the catalogue. A column of the same name in `columns` takes
   * precedence.
   */
  more?: (db: Db) => Promise<Column[]>;
  /** SQL for the version of the variable columns, as text. */
  stamp?: SqlFragment;
  relations: Relation[];
  /**
   * SQL condition that selects the rows visible to the caller. It may use any one-letter alias except `t`.
   */
  visible: (caller: Caller, alias: string) => SqlFragment;
  /**
   * Commands that run within the given transaction; a refusal thrown by one aborts it. `create` returns the
   * objectId.
   */
  create?: (tx: Tx, caller: Caller, record: ApiRecord) => Promise<string>;
  update?: (tx: Tx, caller: Caller, objectId: string, changes: ApiRecord) => Promise<void>;
  remove?: (tx: Tx, caller: Caller, objectId: string) => Promise<void>;
  /** For each missing command, the reason why it is refused. */
  refusals?: Partial<Record<"create" | "update" | "remove", Message>>;
  /** Prepares records before the transaction that creates or updates them. */
  prepare?: (caller: Caller, records: ApiRecord[]) => Promise<ApiRecord[]>;
  /** Returns the answer to the creator of a record. It may include given values that others cannot read. */
  answer?: (given: ApiRecord, found: ApiRecord) => ApiRecord;
  /** Properties that replace these while the defaults of the hosted service are active. */
  hosted?: Partial<Omit<EntityTable, "name" | "hosted">> & { extension: EntityExtension };
  /** Allows callers to add columns and relations, and to set permissions of single objects. */
  extension?: EntityExtension;
};

/** Stores columns that callers add to an API entity. */
export type EntityExtension = {
  addColumn: (tx: Tx, column: { name: string; type: ColumnType }) => Promise<void>;
  dropColumn: (tx: Tx, name: string) => Promise<void>;
};

/** Configuration of all data tables. */
export type DataConfig = {
  /** Whether saving under unknown names creates tables and columns. */
  dynamicSchema: boolean;
  /** `open`: everyone may do everything that no table denies. `members`: see `isAllowedByDefault`. */
  defaultAccess: "open" | "members";
  /**
   * Whether the API has the defaults of the hosted service, where access is open unless configured
   * otherwise.
   */
  hosted: boolean;
};

/** All tables, read once and cached until one changes. */
export interface Catalogue {
  /**
   * Returns a table by its exact name. An unknown name is looked up in the database.
   * @throws 1009
   */
  table: (name: string) => Promise<Table>;
  /** Returns a table as last read, possibly outdated; used for tables to which another table refers. */
  known: (name: string) => Table | undefined;
  /** All tables, in order of name. */
  all: () => Promise<Table[]>;
  config: () => Promise<DataConfig>;
  /** Drops the cache after a change. */
  forget: () => void;
}

/** Context of queries besides the caller. */
export type DataContext = {
  db: Db;
  catalogue: Catalogue;
  /**
   * Whether records include their ids even if the query does not select them, because the calling code needs
   * them.
   */
  keepsIds?: true;
};
