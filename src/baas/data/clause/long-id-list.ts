import { msg } from "#platform/messages";
import { dataTooLarge } from "../data-errors.ts";
import { MAX_LIST_VALUES } from "./clause-parser.ts";
import { MAX_CLAUSE_LENGTH } from "./clause-tokens.ts";

/** Maximum ids in a clause that only lists ids. */
const MAX_IDS = 10_000;

const ID_LIST = /^\s*objectId\s+in\s*\((.*)\)\s*$/is;
const QUOTED_ID = /\s*'([^']*(?:''[^']*)*)'\s*(,|$)/y;

/**
 * Returns the ids of a clause that is longer than allowed but consists only of an id list (`objectId in
 * ('a', 'b')`), as clients write it for a list of objects; null for any other clause.
 * @throws 1021 for too many ids
 */
export function parseLongIdList(clause: string): string[] | null {
  const list = ID_LIST.exec(clause)?.[1];
  if (list === undefined) return null;
  const ids = new Set<string>();
  QUOTED_ID.lastIndex = 0;
  for (let next = ","; next === ",";) {
    const found = QUOTED_ID.exec(list);
    if (!found) return null;
    ids.add(found[1]!.replaceAll("''", "'"));
    if (ids.size > MAX_IDS)
      throw dataTooLarge(msg("One call can name at most {count} objects.", { count: MAX_IDS }));
    next = found[2]!;
  }
  return ids.size > MAX_LIST_VALUES || clause.length > MAX_CLAUSE_LENGTH ? [...ids] : null;
}
