import { isCollision, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { parsed } from "../catalogue/forms.ts";
import type { Caller, Table } from "../catalogue/types.ts";
import { badRequest, CODES, TableFault } from "../faults.ts";
import { failedBehind, inTurn, type Tables } from "../tables.ts";
import { collided } from "../writes/database-faults.ts";
import { type Left, someNouns } from "../writes/nouns.ts";
import { type Writing, writingIn } from "../writes/writing.ts";
import { type Operation, Unit } from "./forms.ts";
import { NOUN_RUNS } from "./noun-operations.ts";
import { RUNS } from "./operations.ts";
import { resolved, Results } from "./references.ts";

export type UnitResult =
  | { success: true; results: ReturnType<Results["all"]> }
  /** The refused operation, and why. */
  | { success: false; refusal: Refusal; operation: Operation };

/** Milliseconds for all attempts together, during which a connection and locks are held. */
const LONGEST = 20_000;
/** Attempts after collisions with other transactions. */
const ATTEMPTS = 10;

/** Context of one attempt. */
type Attempt = { tx: Tx; caller: Caller; writing: Writing; left: Left; results: Results; level: string };

/**
 * Runs operations in order, all or none. A refused operation aborts the transaction and is returned with its
 * message, code and operation.
 * @throws only for an invalid body, and when the database is unavailable
 */
export async function runUnit(tables: Tables, caller: Caller, body: unknown): Promise<UnitResult> {
  const unit = parsed(Unit, body);
  await tables.room.take(addedBy(unit.operations));
  const until = tables.world.now().getTime() + LONGEST;
  for (let attempt = 1; ; attempt++) {
    const progress: { at: Operation | undefined } = { at: unit.operations[0] };
    try {
      // Read once for all requests, before each holds a connection.
      await tables.catalogue.config();
      const attemptIt = () => inTurn(tables, () => tables.inTransaction((tx) => runAll(tx, tables, caller, unit, { progress, until })));
      // Transactions that collided run one at a time, or most would collide again; not within hooks, which
      // the one in turn may be waiting for.
      const isAlone = attempt > 1 && caller.within === undefined;
      const results = await (isAlone ? tables.turns.collided.take(attemptIt) : attemptIt());
      return { success: true, results: results.all() };
    } catch (error) {
      if (attempt < ATTEMPTS && (isCollision(error) || (await failedBehind(tables.catalogue, error)))) continue;
      return failed(error, progress.at);
    }
  }
}

async function runAll(
  tx: Tx,
  tables: Tables,
  caller: Caller,
  unit: z.output<typeof Unit>,
  { progress, until }: { progress: { at: Operation | undefined }; until: number },
): Promise<Results> {
  const level = levelOf(tables, unit);
  await run(tx, sql`set transaction isolation level ${sql.raw(level)}`);
  const attempt = { tx, caller, writing: writingIn(tx, tables.catalogue), left: someNouns(), results: new Results(), level };
  for (const operation of unit.operations) {
    progress.at = operation;
    if (tables.world.now().getTime() > until) throw new TableFault(CODES.tooSlow, "This transaction takes too long.", "unavailable");
    await runOne(attempt, operation);
  }
  return attempt.results;
}

/** Maximum number of rows added, including the few of API entities. */
const addedBy = (operations: Operation[]): number =>
  operations.reduce((sum, { operationType, payload }) => {
    if (operationType === "CREATE" || operationType === "UPSERT") return sum + 1;
    return operationType === "CREATE_BULK" || operationType === "UPSERT_BULK" ? sum + (Array.isArray(payload) ? payload.length : 0) : sum;
  }, 0);

async function runOne({ results, level, ...scene }: Attempt, { operationType, table: name, payload, opResultId }: Operation) {
  const table = await scene.writing.catalogue.table(name);
  const byVerb = table.noun && NOUN_RUNS[operationType];
  if (byVerb) assertReadsAnew(table, level);
  const result = await (byVerb || RUNS[operationType])({ ...scene, table }, resolved(payload, results));
  results.add(opResultId, { operationType, result });
}

/** At these levels commands would not see concurrent changes, which they must check. */
const BLIND = new Set(["repeatable read", "serializable"]);

/** The requested level, or one that suits all operations. */
function levelOf({ catalogue }: Tables, { isolationLevelEnum: asked, operations }: z.output<typeof Unit>): string {
  if (asked !== null) return asked;
  const isVerb = ({ operationType, table }: Operation) => catalogue.isNoun(table) && operationType in NOUN_RUNS;
  return operations.some(isVerb) ? "read committed" : "repeatable read";
}

function assertReadsAnew({ name }: Table, level: string): void {
  if (BLIND.has(level))
    throw badRequest(`Objects of '${name}' are changed in transactions that are READ_COMMITTED, or that name no level.`);
}

function failed(error: unknown, operation: Operation | undefined): UnitResult {
  const refusal = isCollision(error) ? collided() : error;
  if (!operation || !(refusal instanceof Refusal)) throw error;
  return { success: false, refusal, operation };
}
