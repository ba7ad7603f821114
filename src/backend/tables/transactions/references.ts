import type { WireRecord } from "../catalogue/types.ts";
import { CODES, TableFault, tooMuch } from "../faults.ts";
import { sizeOf } from "../values/size.ts";
import type { OperationType } from "./forms.ts";

type Outcome = { operationType: OperationType; result: unknown };

/** Approximate characters of all results of a transaction, which are held until its end. */
const MOST_HELD = 20_000_000;

/** Results of operations by id. A class, because it tracks their size. */
export class Results {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #most: number;
  #held = 0;

  constructor(most = MOST_HELD) {
    this.#most = most;
  }

  get = (opResultId: string): Outcome | undefined => this.#outcomes.get(opResultId);
  all = (): Record<string, Outcome> => Object.fromEntries(this.#outcomes);

  /** @throws 1021 beyond the limit of one transaction */
  add(opResultId: string, outcome: Outcome): void {
    this.#held += sizeOf(outcome.result, this.#most - this.#held);
    if (this.#held > this.#most) throw tooMuch("The results of this transaction are too large. Find less, or in several transactions.");
    this.#outcomes.set(opResultId, outcome);
  }
}

type Reference = { ___ref: true; opResultId: string; resultIndex?: unknown; propName?: unknown };
const DEEPEST = 100;

const isReference = (value: object): value is Reference => "___ref" in value && value.___ref === true && "opResultId" in value;

/**
 * Replaces references in a payload with the results of earlier operations.
 * @throws for a reference to nothing
 */
export function resolved(value: unknown, results: Results, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) throw new TableFault(CODES.transaction, "The payload is too deep.");
  if (isReference(value)) return valueOf(value, results);
  if (Array.isArray(value)) return value.map((it) => resolved(it, results, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, resolved(it, results, depth + 1)]));
}

function valueOf({ opResultId, resultIndex, propName }: Reference, results: Results): unknown {
  const source = results.get(opResultId);
  if (!source) throw new TableFault(CODES.transaction, `The operation '${opResultId}' that is referred to has no result yet.`);
  const { operationType, result } = source;
  const property = typeof propName === "string" ? propName : null;
  if (Array.isArray(result)) return memberOf(operationType, result, opResultId, resultIndex, property);
  if (typeof result !== "object" || result === null) return result;
  return propertyOf(result as WireRecord, property ?? "objectId", opResultId);
}

/** All ids of a list, or the item at the index: a property of a found record, or the id of a created one. */
function memberOf(operationType: OperationType, list: unknown[], opResultId: string, index: unknown, property: string | null): unknown {
  const idOf = (it: unknown) => (operationType === "FIND" ? (it as WireRecord)["objectId"] : it);
  if (index === undefined || index === null) return list.map(idOf);
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= list.length)
    throw new TableFault(CODES.transaction, `The result of the operation '${opResultId}' has nothing at the index ${String(index)}.`);
  const member = list[index as number];
  return operationType === "FIND" ? propertyOf(member as WireRecord, property ?? "objectId", opResultId) : member;
}

function propertyOf(record: WireRecord, property: string, opResultId: string): unknown {
  if (Object.hasOwn(record, property)) return record[property];
  throw new TableFault(CODES.transaction, `The result of the operation '${opResultId}' has no property '${property}'.`);
}
