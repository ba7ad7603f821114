import { tooMuch } from "../faults.ts";
import { MOST_LISTED } from "./parse.ts";
import { LONGEST } from "./tokens.ts";

/** Ids that one clause names, where it names nothing else. */
const MOST = 10_000;

const WHOLE = /^\s*objectId\s+in\s*\((.*)\)\s*$/is;
const ONE = /\s*'([^']*(?:''[^']*)*)'\s*(,|$)/y;

/**
 * The ids that a clause names where it names nothing besides (`objectId in ('a', 'b')`) and is longer than what is read as a clause: so clients write a list
 * of objects. Null for any other. Throws 1021 for more of them than there can be in one call.
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
