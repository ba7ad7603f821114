import { isSerializationConflict, run, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { parseWith } from "../catalogue/table-schemas.ts";
import type { Caller, Table } from "../catalogue/types.ts";
import { badRequest, CODES, TableFault } from "../data-errors.ts";
import { isStaleCatalogueError, withHookSlot, type DataTables } from "../data-tables.ts";
import { transactionConflict } from "../writes/database-errors.ts";
import { type EntityBudget, createEntityBudget } from "../writes/entity-writes.ts";
import { type WriteContext, createWriteContext } from "../writes/write-context.ts";
import { type UnitOperation, UnitInput } from "./transaction-schemas.ts";
import { ENTITY_OPERATIONS } from "./entity-operations.ts";
import { TABLE_OPERATIONS } from "./table-operations.ts";
import { resolveReferences, OperationResults } from "./operation-references.ts";

export type UnitResult =
  | { success: true; results: ReturnType<OperationResults["all"]> }
  /** Which operation was refused, and why. */
  | { success: false; refusal: Refusal; operation: UnitOperation };

/** Milliseconds for all attempts together; a connection and locks are held during that time. */
const MAX_DURATION = 20_000;
/** Maximum attempts, when transactions collide. */
const MAX_ATTEMPTS = 10;

/** Context of one attempt. */
type TransactionAttempt = {
  tx: Tx;
  caller: Caller;
  writing: WriteContext;
  left: EntityBudget;
  results: OperationResults;
  level: string;
};

/**
 * Runs operations in order, all or none. If one is refused, the transaction is rolled back, and the
 * operation is returned with its message and code.
 * @throws only for an invalid body, and when the database is unavailable
 */
export async function runUnitOfWork(tables: DataTables, caller: Caller, body: unknown): Promise<UnitResult> {
  const unit = parseWith(UnitInput, body);
  await tables.quota.take(countAddedRows(unit.operations));
  const until = tables.runtime.now().getTime() + MAX_DURATION;
  for (let attempt = 1; ; attempt++) {
    const progress: { at: UnitOperation | undefined } = { at: unit.operations[0] };
    try {
      // Loads the configuration into the cache first, so that concurrent transactions do not each load it
      // while holding a connection.
      await tables.catalogue.config();
      const attemptIt = () =>
        withHookSlot(tables, () =>
          tables.inTransaction((tx) => runOperations(tx, tables, caller, unit, { progress, until })),
        );
      // After a collision, transactions run one at a time, since most would collide again. A transaction
      // within a hook does not wait: the running transaction may be waiting for this hook, which would be a
      // deadlock.
      const isAlone = attempt > 1 && caller.within === undefined;
      const results = await (isAlone ? tables.queue.run("collided", attemptIt) : attemptIt());
      return { success: true, results: results.all() };
    } catch (error) {
      if (
        attempt < MAX_ATTEMPTS &&
        (isSerializationConflict(error) || (await isStaleCatalogueError(tables.catalogue, error)))
      )
        continue;
      return toFailedResult(error, progress.at);
    }
  }
}

async function runOperations(
  tx: Tx,
  tables: DataTables,
  caller: Caller,
  unit: z.output<typeof UnitInput>,
  { progress, until }: { progress: { at: UnitOperation | undefined }; until: number },
): Promise<OperationResults> {
  const level = chooseIsolation(tables, unit);
  await run(tx, sql`set transaction isolation level ${sql.raw(level)}`);
  const attempt = {
    tx,
    caller,
    writing: createWriteContext(tx, tables.catalogue),
    left: createEntityBudget(),
    results: new OperationResults(),
    level,
  };
  for (const operation of unit.operations) {
    progress.at = operation;
    if (tables.runtime.now().getTime() > until)
      throw new TableFault(CODES.tooSlow, "The transaction took too long.", "unavailable");
    await runOperation(attempt, operation);
  }
  return attempt.results;
}

/** Maximum number of rows that operations may add, including the few of API entities. */
const countAddedRows = (operations: UnitOperation[]): number =>
  operations.reduce((sum, { operationType, payload }) => {
    if (operationType === "CREATE" || operationType === "UPSERT") return sum + 1;
    return operationType === "CREATE_BULK" || operationType === "UPSERT_BULK"
      ? sum + (Array.isArray(payload) ? payload.length : 0)
      : sum;
  }, 0);

async function runOperation(
  { results, level, ...scene }: TransactionAttempt,
  { operationType, table: name, payload, opResultId }: UnitOperation,
) {
  const table = await scene.writing.catalogue.table(name);
  const byVerb = table.entity && ENTITY_OPERATIONS[operationType];
  if (byVerb) assertSeesChanges(table, level);
  const result = await (byVerb || TABLE_OPERATIONS[operationType])(
    { ...scene, table },
    resolveReferences(payload, results),
  );
  results.add(opResultId, { operationType, result });
}

/**
 * Isolation levels at which commands of API entities would not see concurrent changes, which they must
 * check.
 */
const SNAPSHOT_LEVELS = new Set(["repeatable read", "serializable"]);

/** Returns the requested isolation level, or one that suits all operations. */
function chooseIsolation(
  { catalogue }: DataTables,
  { isolationLevelEnum: asked, operations }: z.output<typeof UnitInput>,
): string {
  if (asked !== null) return asked;
  const isVerb = ({ operationType, table }: UnitOperation) =>
    catalogue.isEntity(table) && operationType in ENTITY_OPERATIONS;
  return operations.some(isVerb) ? "read committed" : "repeatable read";
}

function assertSeesChanges({ name }: Table, level: string): void {
  if (SNAPSHOT_LEVELS.has(level))
    throw badRequest(
      msg(
        "Objects of ''{name}'' can be changed only in transactions with READ_COMMITTED or no isolation level.",
        { name },
      ),
    );
}

function toFailedResult(error: unknown, operation: UnitOperation | undefined): UnitResult {
  const refusal = isSerializationConflict(error) ? transactionConflict() : error;
  if (!operation || !(refusal instanceof Refusal)) throw error;
  return { success: false, refusal, operation };
}
