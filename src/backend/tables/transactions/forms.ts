import { z } from "zod";

const MOST_OPERATIONS = 500;

/** The requested isolation level, in SQL. */
const ISOLATION = {
  READ_UNCOMMITTED: "read uncommitted",
  READ_COMMITTED: "read committed",
  REPEATABLE_READ: "repeatable read",
  SERIALIZABLE: "serializable",
} as const;

export const OPERATIONS = [
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
export type OperationType = (typeof OPERATIONS)[number];

/** An operation: type, table, payload, and an id by which others refer to its result. */
const Operation = z.object({
  operationType: z.enum(OPERATIONS),
  table: z.string().min(1).max(100),
  payload: z.unknown(),
  opResultId: z.string().min(1).max(250),
});
export type Operation = z.output<typeof Operation>;

export const Unit = z.object({
  isolationLevelEnum: z
    .enum(["READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"])
    .nullish()
    .transform((level) => (level ? ISOLATION[level] : null)),
  operations: z
    .array(Operation)
    .max(MOST_OPERATIONS, `A transaction can have ${MOST_OPERATIONS} operations.`)
    .refine((all) => new Set(all.map(({ opResultId }) => opResultId)).size === all.length, "Two operations have one opResultId."),
});
