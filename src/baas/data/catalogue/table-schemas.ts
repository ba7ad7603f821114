import { issueMessage, msg } from "#platform/messages";
import { z } from "zod";
import { badRequest, dataTooLarge } from "../data-errors.ts";
import { NAME_PATTERN } from "./table-names.ts";

/** Maximum number of data tables. */
export const MAX_TABLES = 500;
/** Maximum number of columns and relations of one table together. */
export const MAX_COLUMNS = 200;

const columnName = z
  .string()
  .regex(
    NAME_PATTERN,
    "The name of a column begins with a letter and has at most 64 letters, digits and underscores.",
  );
const tableName = z
  .string()
  .regex(
    NAME_PATTERN,
    "The name of a table begins with a letter and has at most 64 letters, digits and underscores.",
  );
const ONE_OF = { error: "This must be one of {list}." };
const DEFINABLE_TYPES = [
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
] as const satisfies DefinableType[];

/** A column as the management API receives it. */
export const NewColumn = z.object({
  name: columnName,
  dataType: z.enum(DEFINABLE_TYPES, ONE_OF),
  dataSize: z.int().min(1).max(500).optional(),
  required: z.boolean().default(false),
  unique: z.boolean().default(false),
  indexed: z.boolean().default(false),
  defaultValue: z.unknown().optional(),
  expression: z.string().trim().min(1).max(1_000).nullish(),
});
export type NewColumn = z.output<typeof NewColumn>;
type DefinableType =
  | "STRING"
  | "TEXT"
  | "INT"
  | "DOUBLE"
  | "BOOLEAN"
  | "DATETIME"
  | "JSON"
  | "FILE_REF"
  | "POINT"
  | "LINESTRING"
  | "POLYGON"
  | "GEOMETRY";

export const ColumnChange = NewColumn.partial().omit({ expression: true });
export type ColumnChange = z.input<typeof ColumnChange>;

export const NewTable = z.object({
  name: tableName,
  columns: z.array(NewColumn).max(MAX_COLUMNS).default([]),
});

export const NewRelation = z.object({
  name: columnName,
  toTable: z.string().min(1, "Enter a name.").max(64, "At most {count, number} characters."),
  relationshipType: z.enum(["ONE_TO_ONE", "ONE_TO_MANY"], ONE_OF),
  autoLoad: z.boolean().default(false),
});
export type NewRelation = z.output<typeof NewRelation>;

export const ConfigChange = z.object({
  dynamicSchema: z.boolean().optional(),
  defaultAccess: z.enum(["open", "members"], ONE_OF).optional(),
});

const ActionFlags = z.strictObject({
  find: z.boolean().optional(),
  create: z.boolean().optional(),
  update: z.boolean().optional(),
  remove: z.boolean().optional(),
});
const hasFewRoles = (grid: object) => Object.keys(grid).length <= 200;
/** Permissions: allowed actions by role. */
export const AccessGrid = z
  .record(z.string().min(1).max(100), ActionFlags, "This value is not valid here.")
  .refine(hasFewRoles, "Too many roles.");

/**
 * Parses a value with a schema.
 * @throws a refusal that names the problem
 */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw badRequest(
    msg("{place}: {what}", { place: issue.path.join(".") || msg("The body"), what: issueMessage(issue) }),
  );
}

export const tooManyColumns = (table: string) =>
  dataTooLarge(
    msg("The table ''{table}'' has {count} columns, the maximum.", {
      table,
      count: MAX_COLUMNS,
    }),
  );
