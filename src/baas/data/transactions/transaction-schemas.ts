import { z } from "zod";

const MAX_OPERATIONS = 500;

/** The requested isolation level, in SQL. */
const ISOLATION_LEVELS = {
  READ_UNCOMMITTED: "read uncommitted",
  READ_COMMITTED: "read committed",
  REPEATABLE_READ: "repeatable read",
  SERIALIZABLE: "serializable",
} as const;

export const OPERATION_TYPES = [
  "CREATE",
  "UPDATE",
  "UPSERT",
  "DELETE",
  "CREATE_BULK",
  "UPSERT_BULK",
  "UPDATE_BULK",
  "DELETE_BULK",
  "FIND",
  "ADD_RELATION",
  "SET_RELATION",
  "DELETE_RELATION",
] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

/** An operation: its type, table and payload, and the id by which others refer to its result. */
const UnitOperation = z.object({
  operationType: z.enum(OPERATION_TYPES),
  table: z.string().min(1).max(100),
  payload: z.unknown(),
  opResultId: z.string().min(1).max(250),
});
export type UnitOperation = z.output<typeof UnitOperation>;

export const UnitInput = z.object({
  isolationLevelEnum: z
    .enum(["READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"])
    .nullish()
    .transform((level) => (level ? ISOLATION_LEVELS[level] : null)),
  operations: z
    .array(UnitOperation)
    .max(MAX_OPERATIONS, "A transaction can have at most {count} operations.")
    .refine(
      (all) => new Set(all.map(({ opResultId }) => opResultId)).size === all.length,
      "Two operations have the same opResultId.",
    ),
});
