import { CODES, TableFault } from "../faults.ts";

/** A clause that cannot be read, or that compares what cannot be compared. The sentence says where and why. */
export const clauseFault = (sentence: string) => new TableFault(CODES.clause, sentence);

/** Of texts that a sentence repeats: enough to find the place. */
const QUOTED = 60;
export const quoted = (text: string) => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** A column that the table does not have, or that the caller may not know of: the same words for both. */
export const noColumn = (name: string, table: string) =>
  new TableFault(CODES.columnNotFound, `Column '${quoted(name)}' does not exist in table '${table}'`);
