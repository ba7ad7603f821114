import { msg } from "#platform/messages";
import { isObject } from "#platform/objects";
import type { ApiRecord } from "../catalogue/types.ts";
import { CODES, TableFault, dataTooLarge } from "../data-errors.ts";
import { estimateJsonLength } from "../values/json-length.ts";
import type { OperationType } from "./transaction-schemas.ts";

type OperationOutcome = { operationType: OperationType; result: unknown };

/** Approximate maximum characters of all results of a transaction, which stay in memory until its end. */
const MAX_RESULT_CHARACTERS = 20_000_000;

/** Results of operations by id. A class, because it counts their size. */
export class OperationResults {
  readonly #outcomes = new Map<string, OperationOutcome>();
  readonly #most: number;
  #held = 0;

  constructor(most = MAX_RESULT_CHARACTERS) {
    this.#most = most;
  }

  get = (opResultId: string): OperationOutcome | undefined => this.#outcomes.get(opResultId);
  all = (): Record<string, OperationOutcome> => Object.fromEntries(this.#outcomes);

  /**
   * Adds a result.
   * @throws 1021 beyond the maximum size
   */
  add(opResultId: string, outcome: OperationOutcome): void {
    this.#held += estimateJsonLength(outcome.result, this.#most - this.#held);
    if (this.#held > this.#most)
      throw dataTooLarge(
        "The results of this transaction are too large. Query fewer objects, or use several transactions.",
      );
    this.#outcomes.set(opResultId, outcome);
  }
}

type ResultReference = { ___ref: true; opResultId: string; resultIndex?: unknown; propName?: unknown };
const MAX_DEPTH = 100;

const isReference = (value: object): value is ResultReference =>
  "___ref" in value && value.___ref === true && "opResultId" in value;

/**
 * Replaces references in a payload by the results of earlier operations.
 * @throws for a reference to a missing result
 */
export function resolveReferences(value: unknown, results: OperationResults, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw new TableFault(CODES.transaction, "The payload is nested too deeply.");
  if (isReference(value)) return getReferenced(value, results);
  if (Array.isArray(value)) return value.map((it) => resolveReferences(it, results, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, resolveReferences(it, results, depth + 1)]),
  );
}

function getReferenced(
  { opResultId, resultIndex, propName }: ResultReference,
  results: OperationResults,
): unknown {
  const source = results.get(opResultId);
  if (!source)
    throw new TableFault(
      CODES.transaction,
      msg("The referenced operation ''{opResultId}'' has no result yet.", { opResultId }),
    );
  const { operationType, result } = source;
  const property = typeof propName === "string" ? propName : null;
  if (Array.isArray(result)) return getListMember(operationType, result, opResultId, resultIndex, property);
  if (!isObject(result)) return result;
  return getProperty(result, property ?? "objectId", opResultId);
}

/**
 * Returns all ids of a list result, or one item by its index: a property of a found record, or a created
 * record's id.
 */
function getListMember(
  operationType: OperationType,
  list: unknown[],
  opResultId: string,
  index: unknown,
  property: string | null,
): unknown {
  const idOf = (it: unknown) => (operationType === "FIND" && isObject(it) ? it["objectId"] : it);
  if (index === undefined || index === null) return list.map(idOf);
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= list.length)
    throw new TableFault(
      CODES.transaction,
      msg("The result of the operation ''{opResultId}'' has no item at index {index}.", {
        opResultId,
        index: String(index),
      }),
    );
  const member = list[index];
  return operationType === "FIND" && isObject(member)
    ? getProperty(member, property ?? "objectId", opResultId)
    : member;
}

function getProperty(record: ApiRecord, property: string, opResultId: string): unknown {
  if (Object.hasOwn(record, property)) return record[property];
  throw new TableFault(
    CODES.transaction,
    msg("The result of the operation ''{opResultId}'' has no property ''{property}''.", {
      opResultId,
      property,
    }),
  );
}
