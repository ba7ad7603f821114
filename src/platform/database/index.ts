export { sql } from "kysely";
export {
  openDatabase,
  queryAndCommit,
  limit,
  many,
  one,
  maybeOne,
  run,
  textOfSql,
  pipelined,
} from "./database.ts";
export type { Database, Db, Tx } from "./database.ts";
export { migrate, pendingMigrations, MigrationError } from "./migrate.ts";
export {
  retryOnConflict,
  isSerializationConflict,
  isUnavailable,
  isUniqueViolation,
  isOutOfSpace,
} from "./database-errors.ts";
