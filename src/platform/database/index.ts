export { sql } from "kysely";
export { openDatabase, lastly, limit, many, one, maybeOne, run, textOf, together } from "./database.ts";
export type { Database, Db, Tx } from "./database.ts";
export { migrate, pendingMigrations, MigrationFault } from "./migrate.ts";
export { begunAgain, isCollision, isUnavailable, isUniqueViolation, isOutOfSpace } from "./faults.ts";
