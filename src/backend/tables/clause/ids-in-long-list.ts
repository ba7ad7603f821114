import { tooMuch } from "../faults.ts";
import { MOST_LISTED } from "./parse.ts";
import { LONGEST } from "./tokens.ts";

/** Ids in a clause that contains nothing else. */
const MOST = 10_000;

const WHOLE = /^\s*objectId\s+in\s*\((.*)\)\s*$/is;
const ONE = /\s*'([^']*(?:''[^']*)*)'\s*(,|$)/y;

/**
 * The ids of a clause that is only a list (`objectId in ('a', 'b')`) and longer than clauses may be, as
 * clients write a list of objects; null for any other.
 * @throws 1021 for too many ids
 */
export function idsInLongList(clause: string): string[] | null {
  const list = WHOLE.exec(clause)?.[1];
  if (list === undefined) return null;
  const ids = new Set<string>();
  ONE.lastIndex = 0;
  for (let next = ","; next === ",";) {
    const found = ONE.exec(list);
    if (!found) return null;
    ids.add(found[1]!.replaceAll("''", "'"));
    if (ids.size > MOST) throw tooMuch(`One call can name ${MOST} objects.`);
    next = found[2]!;
  }
  return ids.size > MOST_LISTED || clause.length > LONGEST ? [...ids] : null;
}
