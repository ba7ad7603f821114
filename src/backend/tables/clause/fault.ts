import { CODES, TableFault } from "../faults.ts";

/** A clause that is invalid or compares incomparable values. The sentence says where and why. */
export const clauseFault = (sentence: string) => new TableFault(CODES.clause, sentence);

/** Characters of a quoted text, enough to find it. */
const QUOTED = 60;
export const quoted = (text: string) => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** A column that does not exist, or is hidden from the caller: the same message for both. */
export const noColumn = (name: string, table: string) =>
  new TableFault(CODES.columnNotFound, `Column '${quoted(name)}' does not exist in table '${table}'`);
