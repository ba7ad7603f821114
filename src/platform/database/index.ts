export { sql } from "kysely";
export { openDatabase } from "./database.ts";
export type { Database } from "./database.ts";
export { limit, many, one, maybeOne, run, sqlToText } from "./queries.ts";
export { measureQueries } from "./query-timings.ts";
export type { QueryTimings } from "./query-timings.ts";
export type { Db } from "./queries.ts";
export type { Tx } from "./transactions.ts";
export { migrate, pendingMigrations, MigrationError } from "./migrate.ts";
export {
  retryOnConflict,
  isSerializationConflict,
  isUnavailable,
  isUniqueViolation,
  isOutOfSpace,
} from "./database-errors.ts";
