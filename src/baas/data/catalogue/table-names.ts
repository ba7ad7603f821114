import type { Column, ColumnType } from "./types.ts";

/** Pattern for names that clients give to tables, columns and relations. */
export const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * Names that tables and relations cannot have, because URLs use them as path segments with another meaning.
 */
export const RESERVED_TABLES = new Set(["bulk", "bulkupsert", "data-grouping"]);

export const SQL_TYPE: Record<ColumnType, string> = {
  STRING: "text",
  TEXT: "text",
  INT: "integer",
  DOUBLE: "double precision",
  BOOLEAN: "boolean",
  DATETIME: "timestamptz(3)",
  JSON: "jsonb",
  FILE_REF: "text",
  POINT: "jsonb",
  LINESTRING: "jsonb",
  POLYGON: "jsonb",
  GEOMETRY: "jsonb",
  STRING_ID: "text",
};

const createColumn = (
  name: string,
  sqlName: string,
  type: ColumnType,
  rest: Partial<Column> = {},
): Column => ({
  name,
  sqlName,
  type,
  size: null,
  required: false,
  unique: false,
  indexed: true,
  defaultValue: null,
  expression: null,
  customRegex: null,
  ...rest,
});

/** Columns of every data table. */
export const SYSTEM_COLUMNS: readonly Column[] = [
  createColumn("objectId", "object_id", "STRING_ID", { required: true, unique: true, size: 250 }),
  createColumn("ownerId", "owner_id", "STRING"),
  createColumn("created", "created", "DATETIME"),
  createColumn("updated", "updated", "DATETIME", { indexed: false }),
];
const SYSTEM_NAMES = new Set(SYSTEM_COLUMNS.map(({ name }) => name));
export const isSystemColumn = (name: string) => SYSTEM_NAMES.has(name);

/**
 * Creates a unique SQL name: a number, followed by the harmless characters of the given name for
 * readability.
 */
export const createSqlName = (letter: "t" | "c" | "r", number: string, name: string) =>
  `${letter}${number}_${name.toLowerCase().replaceAll(/[^a-z0-9_]/g, "")}`.slice(0, 50);
